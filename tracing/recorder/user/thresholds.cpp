// SPDX-License-Identifier: BSD-3-Clause
// Functions of the program that are called when an event has happened often enough: a part of
// `libholos-counters.so`.
#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <memory>
#include <stdexcept>

#include "tracing/counters/interrupts.h"
#include "tracing/recorder/user/failure.h"
#include "tracing/recorder/user/include/holos/counters.h"

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

/// It stays, since a signal may come late.
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
