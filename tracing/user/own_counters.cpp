// SPDX-License-Identifier: BSD-3-Clause
// Counters that a program reads itself: `libholos-counters.so`.
#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <exception>
#include <string>

#include "tracing/counters/selection.h"
#include "tracing/user/include/holos/counters.h"

#define HOLOS_EXPORTED extern "C" __attribute__((visibility("default")))

using holos::counters::Mode;
using holos::counters::Reader;
using holos::counters::Selection;
using holos::counters::Values;

namespace {

std::string& lastError() {
    static thread_local std::string text;
    return text;
}

int fail(const std::string& why) {
    lastError() = why;
    return -1;
}

/// A call of the program: its errno stays as it was, and nothing has failed yet.
class Call {
  public:
    Call() : saved_(errno) { lastError().clear(); }
    ~Call() { errno = saved_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

  private:
    int saved_;
};

constexpr const char* kUnreadable = "the counters could not be read; their files were closed, perhaps";
constexpr const char* kNotOurs = "these counters belong to another thread, which started them";

}  // namespace

struct holos_counters {
    explicit holos_counters(const std::string& names)
        : selection(holos::counters::splitNames(names)),
          reader(selection.open()),
          now(selection.counters().size()),
          start(now.size()),
          thread(::pthread_self()) {}

    bool isOfThisThread() const { return ::pthread_equal(thread, ::pthread_self()) != 0; }
    bool read() { return reader->read(now.data()); }

    bool isState(std::size_t i) const { return selection.counters()[i].mode == Mode::Absolute; }
    long long sinceStart(std::size_t i) const {
        if (selection.counters()[i].values != Values::Real)
            return static_cast<long long>(isState(i) ? now[i] : now[i] - start[i]);
        const auto value = std::bit_cast<double>(now[i]);
        return std::llround(isState(i) ? value : value - std::bit_cast<double>(start[i]));
    }

    Selection selection;
    std::unique_ptr<Reader> reader;
    std::vector<std::uint64_t> now;
    std::vector<std::uint64_t> start;
    pthread_t thread;
};

namespace {

/// 0 where they were read now.
int readHere(holos_counters* counters) {
    if (counters == nullptr) return fail("no counters: they were not started, or are stopped");
    if (!counters->isOfThisThread()) return fail(kNotOurs);
    return counters->read() ? 0 : fail(kUnreadable);
}

holos_counters* startCounting(const char* names) try {
    const std::string text = names != nullptr ? names : "";
    if (holos::counters::splitNames(text).empty()) {
        fail("no counter is named; 'holos counters list' shows those of this machine");
        return nullptr;
    }
    auto counters = std::make_unique<holos_counters>(text);
    if (!counters->read()) {
        fail(kUnreadable);
        return nullptr;
    }
    counters->start = counters->now;
    return counters.release();
} catch (const std::exception& error) {
    fail(error.what());
    return nullptr;
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
    return lastError().c_str();
}
