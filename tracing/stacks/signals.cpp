// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/signals.h"

#include <atomic>
#include <mutex>

#include "tracing/interpose/next_function.h"

namespace holos::tracing::stacks {
namespace {

using Action = struct sigaction;
using SetAction = int(int, const Action*, Action*);

int setAction(int signal, const Action* action, Action* before) noexcept {
    static constinit interpose::Next<SetAction> next("sigaction");
    return next.get()(signal, action, before);
}

/// What the program wants done with the signal. The handler reads it without a lock: the newest is complete.
std::atomic<bool> isTaken{false};
std::atomic<unsigned> newest{0};
Action programs[2];

/// Remembers what the program asks for, in place of doing it.
int keepAction(const Action* action, Action* before) noexcept {
    static constinit std::mutex mutex;
    const std::scoped_lock lock(mutex);
    const unsigned now = newest.load(std::memory_order_relaxed);
    if (before != nullptr) *before = programs[now];
    if (action != nullptr) {
        programs[1 - now] = *action;
        newest.store(1 - now, std::memory_order_release);
    }
    return 0;
}

}  // namespace

bool takeSignal(SignalHandler handler) noexcept {
    Action action{};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (setAction(kSampleSignal, nullptr, &programs[0]) != 0) return false;
    isTaken.store(setAction(kSampleSignal, &action, nullptr) == 0, std::memory_order_release);
    return isTaken.load(std::memory_order_relaxed);
}

void passOnSignal(int signal, siginfo_t* info, void* context) noexcept {
    const Action& action = programs[newest.load(std::memory_order_acquire)];
    if ((action.sa_flags & SA_SIGINFO) != 0)
        action.sa_sigaction(signal, info, context);
    else if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
        action.sa_handler(signal);
}

}  // namespace holos::tracing::stacks

#define HOLOS_INTERPOSED extern "C" __attribute__((visibility("default")))

HOLOS_INTERPOSED int sigaction(int number, const struct sigaction* action,
                               struct sigaction* before) noexcept {
    using namespace holos::tracing::stacks;
    const bool isOurs = number == kSampleSignal && isTaken.load(std::memory_order_acquire);
    return isOurs ? keepAction(action, before) : setAction(number, action, before);
}

HOLOS_INTERPOSED sighandler_t signal(int number, sighandler_t handler) noexcept {
    using namespace holos::tracing;
    using namespace holos::tracing::stacks;
    static constinit interpose::Next<sighandler_t(int, sighandler_t)> next("signal");
    if (number != kSampleSignal || !isTaken.load(std::memory_order_acquire))
        return next.behind(__builtin_return_address(0))(number, handler);
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    keepAction(&action, &before);
    return before.sa_handler;
}
