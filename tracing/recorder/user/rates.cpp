// SPDX-License-Identifier: BSD-3-Clause
// Rates of counters that a program reads itself, and times: a part of `libholos-counters.so`.
#include <ctime>
#include <string>

#include "tracing/recorder/user/failure.h"
#include "tracing/recorder/user/include/holos/counters.h"

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
