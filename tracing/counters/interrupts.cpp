// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/interrupts.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/number.h"
#include "base/suggest.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/perf_page.h"

namespace holos::counters {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::uint64_t kShortest = 100'000;  ///< nanoseconds

struct Unit {
    std::string_view name;
    std::uint64_t factor;
};
constexpr std::array<Unit, 4> kTimes{
    {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", kNanosecondsPerSecond}}};
constexpr std::array<Unit, 4> kNumbers{{{"", 1}, {"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}}};

/// A whole number of units, above zero.
std::optional<std::uint64_t> parseNumber(std::string_view text, const std::array<Unit, 4>& units) {
    const auto number = takeLeadingNumber<std::uint64_t>(text);
    if (!number) return std::nullopt;
    std::uint64_t result = 0;
    for (const Unit& unit : units)
        if (text == unit.name && !__builtin_mul_overflow(*number, unit.factor, &result) && result != 0)
            return result;
    return std::nullopt;
}

/// PAPI's presets that are one event of perf each: as such they can interrupt.
struct Preset {
    std::string_view papi;
    const char* perf;
};
constexpr std::array<Preset, 5> kPresets{{{"PAPI_TOT_INS", "instructions"},
                                          {"PAPI_TOT_CYC", "cycles"},
                                          {"PAPI_REF_CYC", "ref-cycles"},
                                          {"PAPI_BR_INS", "branches"},
                                          {"PAPI_BR_MSP", "branch-misses"}}};

std::string perfNameOf(const std::string& event) {
    for (const Preset& preset : kPresets)
        if (preset.papi == event) return preset.perf;
    return event;
}

bool countsTime(const std::string& event) {
    const auto found = findPerfEvent(event);
    return found && found->unit == "ns";
}

std::string unknownEvent(const std::string& name) {
    std::vector<std::string> known;
    for (const PerfEvent& event : namedPerfEvents()) known.push_back(event.name);
    return name + ": not an event of perf; no other events can interrupt a program" +
           didYouMean(name, known) + " ('holos counters list' shows them)";
}

/// The kernel may count an event without being able to interrupt at it.
int openAtPeriod(const Interrupts& interrupts) {
    const auto event = findPerfEvent(interrupts.event);
    if (!event) throw Error(unknownEvent(interrupts.event));
    if (!event->processors.empty() && event->problem.empty())
        throw Error(interrupts.event + ": counts for everybody on some processors, and interrupts no thread");
    const int file = openPerfEvent(*event, {.period = interrupts.period});
    if (file < 0)
        throw Error(interrupts.event + ": " + reasonNotToOpen(-file, *event) +
                    " (samples by time, such as --sample 10ms, need no event)");
    return file;
}

[[noreturn]] void failWith(const char* what) {
    throw Error(std::string(what) + ": " + std::strerror(errno));
}

void openTimer(std::uint64_t period, int signal, OpenInterrupts& open) {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = signal;
    event.sigev_value.sival_ptr = &open;
    event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
    if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &open.timer) != 0)
        failWith("no timer of the thread's processor time");
    const timespec time{static_cast<std::time_t>(period / kNanosecondsPerSecond),
                        static_cast<long>(period % kNanosecondsPerSecond)};
    const itimerspec interval{time, time};
    open.kind = OpenInterrupts::Kind::Timer;
    open.isOpen = true;
    ::timer_settime(open.timer, 0, &interval, nullptr);
}

/// Without signals, as they would end this process.
void tryMemory(const Interrupts& interrupts) {
    MemorySamples samples;
    openMemorySamples(devicesHere(), interrupts.period, 0, samples);
    closeMemorySamples(samples);
}

}  // namespace

void sendSignals(int file, int signal) {
    const f_owner_ex thread{F_OWNER_TID, static_cast<pid_t>(::syscall(SYS_gettid))};
    if (::fcntl(file, F_SETOWN_EX, &thread) != 0 || ::fcntl(file, F_SETSIG, signal) != 0 ||
        ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) | O_ASYNC) != 0 ||
        ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0) != 0)
        failWith("no signals of an event");
}

bool Interrupts::isTime() const {
    return event.empty() || countsTime(event);
}

bool Interrupts::isMemory() const {
    return event == kMemoryAccesses;
}

bool Interrupts::isTooOften() const {
    return isTime() && period < kShortest;
}

std::string Interrupts::text() const {
    return event.empty() ? std::to_string(period) + "ns" : event + ':' + std::to_string(period);
}

std::optional<Interrupts> parseInterrupts(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    Interrupts result;
    std::optional<std::uint64_t> period;
    if (colon == std::string::npos) {
        period = parseNumber(text, kTimes);
    } else {
        result.event = perfNameOf(text.substr(0, colon));
        const std::string number = text.substr(colon + 1);
        period = parseNumber(number, kNumbers);
        if (!period && countsTime(result.event)) period = parseNumber(number, kTimes);
        if (result.event.empty()) return std::nullopt;
    }
    if (!period) return std::nullopt;
    result.period = *period;
    return result;
}

void checkInterrupts(const Interrupts& interrupts) {
    if (interrupts.isMemory()) return tryMemory(interrupts);
    if (!interrupts.event.empty()) ::close(openAtPeriod(interrupts));
    if (interrupts.isTooOften())
        throw Error(interrupts.text() + ": would interrupt the program more often than every 100us");
}

bool OpenInterrupts::sent(const siginfo_t& info) const noexcept {
    switch (kind) {
        case Kind::None:
            return false;
        case Kind::Timer:
            return info.si_code == SI_TIMER && info.si_value.sival_ptr == this;
        case Kind::Event:
            return info.si_code > 0 && info.si_fd == file;
        case Kind::Memory:
            return info.si_code > 0 && isOf(memory, info.si_fd);
    }
    return false;
}

void openInterrupts(const Interrupts& interrupts, int signal, OpenInterrupts& open) {
    if (interrupts.event.empty()) return openTimer(interrupts.period, signal, open);
    if (interrupts.isMemory()) {
        openMemorySamples(devicesHere(), interrupts.period, signal, open.memory);
        open.kind = OpenInterrupts::Kind::Memory;
        open.isOpen = true;
        return;
    }
    open.file = openAtPeriod(interrupts);
    open.kind = OpenInterrupts::Kind::Event;
    open.isOpen = true;
    try {
        sendSignals(open.file, signal);
    } catch (...) {
        closeInterrupts(open);
        throw;
    }
}

void closeInterrupts(OpenInterrupts& open) noexcept {
    if (!open.isOpen) return;
    open.isOpen = false;
    if (open.kind == OpenInterrupts::Kind::Timer)
        ::timer_delete(open.timer);
    else if (open.kind == OpenInterrupts::Kind::Memory)
        closeMemorySamples(open.memory);
    else
        ::close(open.file);
}

}  // namespace holos::counters
