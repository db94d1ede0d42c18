// SPDX-License-Identifier: BSD-3-Clause
// Counters that a program reads itself: `libholos-counters.so`.
#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tracing/counters/selection.h"
#include "tracing/recorder/user/failure.h"
#include "tracing/recorder/user/include/holos/counters.h"

using holos::counters::Mode;
using holos::counters::Reader;
using holos::counters::Selection;
using holos::counters::Values;
using holos::user::Call;
using holos::user::fail;

namespace holos::user {

std::string& lastError() {
    static thread_local std::string text;
    return text;
}

int fail(const std::string& why) {
    lastError() = why;
    return -1;
}

}  // namespace holos::user

namespace {

constexpr const char* kUnreadable = "the counters could not be read; their files were closed, perhaps";
constexpr const char* kNotOurs = "these counters belong to another thread, which started them";

}  // namespace

struct holos_counters {
    explicit holos_counters(std::vector<std::string> chosen)
        : names(std::move(chosen)), thread(::pthread_self()) {
        open();
    }

    bool isOfThisThread() const { return ::pthread_equal(thread, ::pthread_self()) != 0; }
    bool read() { return reader->read(now.data()); }

    bool isState(std::size_t i) const { return selection.counters()[i].mode == Mode::Absolute; }
    bool isReal(std::size_t i) const { return selection.counters()[i].values == Values::Real; }
    long long sinceStart(std::size_t i) const {
        if (!isReal(i)) return static_cast<long long>(isState(i) ? now[i] : now[i] - start[i]);
        const auto value = std::bit_cast<double>(now[i]);
        return std::llround(isState(i) ? value : value - std::bit_cast<double>(start[i]));
    }
    /// Counts on from this value, as of the last reading.
    void set(std::size_t i, long long value) {
        start[i] =
            isReal(i)
                ? std::bit_cast<std::uint64_t>(std::bit_cast<double>(now[i]) - static_cast<double>(value))
                : now[i] - static_cast<std::uint64_t>(value);
    }

    /// Counts these instead; those that were counted go on from their values as of the last reading. Where
    /// they cannot be counted, throws and counts what it did.
    void change(const std::vector<std::string>& others) {
        std::map<std::string, long long> values;
        for (std::size_t i = 0; i < names.size(); ++i) values[names[i]] = sinceStart(i);
        const auto before = std::exchange(names, others);
        try {
            reopen(values);
        } catch (...) {
            names = before;
            reopen(values);
            throw;
        }
    }

    std::vector<std::string> names;
    Selection selection;
    std::unique_ptr<Reader> reader;
    std::vector<std::uint64_t> now;
    std::vector<std::uint64_t> start;
    pthread_t thread;

  private:
    void open() {
        selection = Selection(names);
        reader = selection.open();
        now.assign(names.size(), 0);
        if (!read()) throw std::runtime_error(kUnreadable);
        start = now;
    }
    /// The registers are free before they are taken again.
    void reopen(const std::map<std::string, long long>& values) {
        reader.reset();
        open();
        for (std::size_t i = 0; i < names.size(); ++i)
            if (const auto known = values.find(names[i]); known != values.end()) set(i, known->second);
    }
};

namespace {

/// 0 where they were read now.
int readHere(holos_counters* counters) {
    if (counters == nullptr) return fail("no counters: they were not started, or are stopped");
    if (!counters->isOfThisThread()) return fail(kNotOurs);
    return counters->read() ? 0 : fail(kUnreadable);
}

std::vector<std::string> namesIn(const char* text) {
    auto names = holos::counters::splitNames(text != nullptr ? text : "");
    if (names.empty())
        throw std::runtime_error("no counter is named; 'holos counters list' shows those of this machine");
    return names;
}

holos_counters* startCounting(const char* names) try {
    return std::make_unique<holos_counters>(namesIn(names)).release();
} catch (const std::exception& error) {
    fail(error.what());
    return nullptr;
}

/// `change` makes the new names from those that are counted and those that are given.
template <class Change>
int changeCounters(holos_counters* counters, const char* names, Change change) try {
    if (readHere(counters) != 0) return -1;
    counters->change(change(counters->names, namesIn(names)));
    return 0;
} catch (const std::exception& error) {
    return fail(error.what());
}

}  // namespace

HOLOS_EXPORTED holos_counters* holos_counters_start(const char* names) {
    const Call call;
    return startCounting(names);
}

HOLOS_EXPORTED int holos_counters_number(const holos_counters* counters) {
    return counters != nullptr ? static_cast<int>(counters->now.size()) : 0;
}

HOLOS_EXPORTED int holos_counters_read(holos_counters* counters, long long* values) {
    const Call call;
    if (readHere(counters) != 0) return -1;
    for (std::size_t i = 0; i < counters->now.size(); ++i) values[i] = counters->sinceStart(i);
    return 0;
}

HOLOS_EXPORTED int holos_counters_accumulate(holos_counters* counters, long long* values) {
    const Call call;
    if (readHere(counters) != 0) return -1;
    for (std::size_t i = 0; i < counters->now.size(); ++i)
        values[i] = (counters->isState(i) ? 0 : values[i]) + counters->sinceStart(i);
    counters->start = counters->now;
    return 0;
}

HOLOS_EXPORTED int holos_counters_write(holos_counters* counters, const long long* values) {
    const Call call;
    if (readHere(counters) != 0) return -1;
    for (std::size_t i = 0; i < counters->now.size(); ++i) counters->set(i, values[i]);
    return 0;
}

HOLOS_EXPORTED int holos_counters_add(holos_counters* counters, const char* names) {
    const Call call;
    return changeCounters(counters, names, [](std::vector<std::string> all, const auto& more) {
        all.insert(all.end(), more.begin(), more.end());
        return all;
    });
}

HOLOS_EXPORTED int holos_counters_remove(holos_counters* counters, const char* names) {
    const Call call;
    return changeCounters(counters, names, [](std::vector<std::string> all, const auto& fewer) {
        for (const std::string& name : fewer)
            if (std::erase(all, name) == 0) throw std::runtime_error(name + ": is not counted");
        if (all.empty())
            throw std::runtime_error("no counter would be left; holos_counters_stop ends counting");
        return all;
    });
}

HOLOS_EXPORTED int holos_counters_stop(holos_counters* counters, long long* values) {
    const Call call;
    if (counters != nullptr && !counters->isOfThisThread()) return fail(kNotOurs);
    const std::unique_ptr<holos_counters> ended(counters);
    return values != nullptr || counters == nullptr ? holos_counters_read(counters, values) : 0;
}

HOLOS_EXPORTED double holos_counters_share(const holos_counters* counters) {
    double least = 1;
    for (std::size_t i = 0; counters != nullptr && i < counters->now.size(); ++i)
        least = std::min(least, counters->reader->activeShare(i));
    return least;
}

HOLOS_EXPORTED const char* holos_counters_error() {
    return holos::user::lastError().c_str();
}
