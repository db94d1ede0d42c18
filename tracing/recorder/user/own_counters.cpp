// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <ucontext.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/counters/selection.h"
#include "tracing/recorder/user/failure.h"
#include "tracing/recorder/user/include/holos/counters.h"

// Counters that a program reads itself: `libholos-counters.so`.
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

// Rates of counters that a program reads itself, and times: a part of `libholos-counters.so`.
namespace {

constexpr long long kNanosecondsPerSecond = 1'000'000'000;
constexpr double kNanosecond = 1e-9;

long long nanoseconds(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return now.tv_sec * kNanosecondsPerSecond + now.tv_nsec;
}

/// A thread's rate, and what it was at the previous call.
class Rate {
  public:
    Rate() = default;
    ~Rate() { stop(); }
    Rate(const Rate&) = delete;
    Rate& operator=(const Rate&) = delete;

    void stop() {
        if (counters_ != nullptr) holos_counters_stop(counters_, nullptr);
        counters_ = nullptr;
    }

    /// `reference` may be null.
    int next(const char* event, const char* reference, holos_rate& rate) {
        const std::string names =
            std::string(event) + (reference != nullptr ? ',' + std::string(reference) : "");
        if (counters_ == nullptr || names != names_) return start(names, rate);
        long long values[2]{};
        if (holos_counters_read(counters_, values) != 0) return -1;
        const long long virtualTime = holos_virtual_time() - virtualStart_;
        if (reference == nullptr) values[1] = virtualTime;
        const auto events = static_cast<double>(values[0] - events_);
        const auto by =
            static_cast<double>(values[1] - reference_) * (reference == nullptr ? kNanosecond : 1);
        rate = {static_cast<double>(holos_real_time() - realStart_) * kNanosecond,
                static_cast<double>(virtualTime) * kNanosecond, values[0], values[1],
                by > 0 ? events / by : 0};
        events_ = values[0];
        reference_ = values[1];
        return 0;
    }

  private:
    int start(const std::string& names, holos_rate& rate) {
        stop();
        counters_ = holos_counters_start(names.c_str());
        if (counters_ == nullptr) return -1;
        names_ = names;
        events_ = reference_ = 0;
        realStart_ = holos_real_time();
        virtualStart_ = holos_virtual_time();
        rate = {};
        return 0;
    }

    holos_counters* counters_ = nullptr;
    std::string names_;
    long long events_ = 0, reference_ = 0;
    long long realStart_ = 0, virtualStart_ = 0;
};

Rate& rateOfThread() {
    static thread_local Rate rate;
    return rate;
}

/// The first of these that can be counted; the first of all where none can, whose error then tells.
template <std::size_t N>
const char* firstOf(const char* const (&events)[N]) {
    for (const char* event : events)
        if (holos_counters* counters = holos_counters_start(event)) {
            holos_counters_stop(counters, nullptr);
            return event;
        }
    return events[0];
}

}  // namespace

HOLOS_EXPORTED long long holos_real_time() {
    return nanoseconds(CLOCK_MONOTONIC);
}

HOLOS_EXPORTED long long holos_virtual_time() {
    return nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

HOLOS_EXPORTED int holos_rate_of(const char* event, const char* reference, holos_rate* rate) {
    return rateOfThread().next(event, reference, *rate);
}

HOLOS_EXPORTED int holos_instructions_per_cycle(holos_rate* rate) {
    constexpr const char* kEvents[]{"instructions", "PAPI_TOT_INS"};
    static const bool isOfPapi = firstOf(kEvents) == kEvents[1];
    return isOfPapi ? holos_rate_of(kEvents[1], "PAPI_TOT_CYC", rate)
                    : holos_rate_of(kEvents[0], "cycles", rate);
}

HOLOS_EXPORTED int holos_flop_rate(holos_rate* rate) {
    static const char* const event = firstOf({"PAPI_FP_OPS", "PAPI_DP_OPS", "PAPI_SP_OPS", "PAPI_FP_INS"});
    return holos_rate_of(event, nullptr, rate);
}

HOLOS_EXPORTED void holos_rate_stop() {
    rateOfThread().stop();
}

// Functions of the program that are called when an event has happened often enough: a part of
// `libholos-counters.so`.
using holos::counters::Interrupts;
using holos::user::Call;
using holos::user::fail;

struct holos_counters_threshold {
    holos::counters::OpenInterrupts interrupts;
    holos_counters_handler handler;
    void* data;
    holos_counters_threshold* next;
};

namespace {

/// Linux sends it to nobody. One that is pending is not queued again, so that no queue can be full.
constexpr int kSignal = SIGSTKFLT;

thread_local holos_counters_threshold* ofThisThread = nullptr;

void* addressIn(const void* context) {
    [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    // NOLINTNEXTLINE(performance-no-int-to-ptr): registers are numbers
    return reinterpret_cast<void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    // NOLINTNEXTLINE(performance-no-int-to-ptr): registers are numbers
    return reinterpret_cast<void*>(machine.pc);
#else
    return nullptr;
#endif
}

void onSignal(int, siginfo_t* info, void* context) {
    const int saved = errno;
    for (const auto* one = ofThisThread; one != nullptr; one = one->next)
        if (one->interrupts.sent(*info)) one->handler(addressIn(context), one->data);
    errno = saved;
}

/// Installs the handler, which stays, since a signal may come late.
void takeSignal() {
    struct sigaction known {};
    ::sigaction(kSignal, nullptr, &known);
    const bool isOurs = (known.sa_flags & SA_SIGINFO) != 0 && known.sa_sigaction == onSignal;
    if (isOurs) return;
    if ((known.sa_flags & SA_SIGINFO) != 0 || (known.sa_handler != SIG_DFL && known.sa_handler != SIG_IGN))
        throw std::runtime_error("the program handles the signal SIGSTKFLT itself");
    struct sigaction action {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    ::sigaction(kSignal, &action, nullptr);
}

void forget(const holos_counters_threshold* threshold) {
    for (auto** one = &ofThisThread; *one != nullptr; one = &(*one)->next)
        if (*one == threshold) {
            *one = threshold->next;
            return;
        }
}

bool isOfThisThread(const holos_counters_threshold* threshold) {
    const auto* one = ofThisThread;
    while (one != nullptr && one != threshold) one = one->next;
    return one != nullptr;
}

holos_counters_threshold* start(const char* event, long long threshold, holos_counters_handler handler,
                                void* data) try {
    if (event == nullptr || *event == '\0' || handler == nullptr || threshold <= 0)
        throw std::runtime_error("expects an event, a threshold above 0, and a function");
    const Interrupts interrupts{event, static_cast<std::uint64_t>(threshold)};
    checkInterrupts(interrupts);
    takeSignal();
    auto added = std::make_unique<holos_counters_threshold>();
    added->handler = handler;
    added->data = data;
    added->next = ofThisThread;
    ofThisThread = added.get();
    try {
        openInterrupts(interrupts, kSignal, added->interrupts);
    } catch (...) {
        forget(added.get());
        throw;
    }
    return added.release();
} catch (const std::exception& error) {
    fail(error.what());
    return nullptr;
}

}  // namespace

HOLOS_EXPORTED holos_counters_threshold* holos_counters_threshold_start(const char* event,
                                                                        long long threshold,
                                                                        holos_counters_handler handler,
                                                                        void* data) {
    const Call call;
    return start(event, threshold, handler, data);
}

HOLOS_EXPORTED int holos_counters_threshold_stop(holos_counters_threshold* threshold) {
    const Call call;
    if (threshold == nullptr || !isOfThisThread(threshold))
        return fail("no threshold of this thread: it was not started here, or is stopped");
    closeInterrupts(threshold->interrupts);
    forget(threshold);
    delete threshold;
    return 0;
}
