// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/taken_signal.h"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <mutex>

#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/next_function.h"

namespace holos::tracing::interpose {
namespace {

using Action = struct sigaction;
using SetAction = int(int, const Action*, Action*);

int setAction(int signal, const Action* action, Action* before) noexcept {
    static constinit Next<SetAction> next("sigaction");
    return next.get()(signal, action, before);
}

constexpr std::size_t kMost = 4;
std::array<std::atomic<TakenSignal*>, kMost> taken;

void remember(TakenSignal& signal) noexcept {
    for (auto& one : taken) {
        TakenSignal* none = nullptr;
        if (one.compare_exchange_strong(none, &signal, std::memory_order_release)) return;
    }
}

/// Null for all others.
TakenSignal* takenSignal(int number) noexcept {
    for (auto& one : taken) {
        TakenSignal* const there = one.load(std::memory_order_acquire);
        if (there == nullptr) return nullptr;
        if (there->number() == number) return there;
    }
    return nullptr;
}

/// Whatever its flags are: a handler that is called once leaves them behind.
bool isHandler(const Action& action) noexcept {
    return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

/// Only those signals wait for a handler of the program that it wants to.
void letThrough(const Action& action, int signal, const ucontext_t& context) noexcept {
    if (!may(Need::Storage)) return;
    sigset_t waiting = context.uc_sigmask;
    for (int other = 1; other < NSIG; ++other)
        if (::sigismember(&action.sa_mask, other) == 1) ::sigaddset(&waiting, other);
    if ((action.sa_flags & SA_NODEFER) == 0) ::sigaddset(&waiting, signal);
    ::pthread_sigmask(SIG_SETMASK, &waiting, nullptr);
}

}  // namespace

bool TakenSignal::take(SignalHandler handler) noexcept {
    if (setAction(number_, nullptr, &programs_[0]) != 0) return false;
    handler_ = handler;
    install(programs_[0]);
    remember(*this);
    return true;
}

/// Once is enough for `SA_RESETHAND`, which `passOn` does itself.
void TakenSignal::install(const Action& programs) noexcept {
    Action action{};
    action.sa_sigaction = handler_;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (manner_ == Manner::Ours) action.sa_mask = signalsThatWait();
    if (manner_ == Manner::Programs && isHandler(programs)) {
        action.sa_mask = programs.sa_mask;
        action.sa_flags = (programs.sa_flags | SA_SIGINFO) & ~static_cast<int>(SA_RESETHAND);
    } else if (manner_ == Manner::Programs) {
        if (programs.sa_handler == SIG_IGN) action = programs;
        action.sa_flags |= SA_ONSTACK;
    }
    setAction(number_, &action, nullptr);
}

int TakenSignal::keep(const Action* action, Action* before) noexcept {
    static constinit std::mutex mutex;
    const std::scoped_lock lock(mutex);
    const unsigned now = newest_.load(std::memory_order_relaxed);
    if (before != nullptr) *before = programs_[now];
    if (action == nullptr) return 0;
    programs_[1 - now] = *action;
    newest_.store(1 - now, std::memory_order_release);
    if (manner_ == Manner::Programs) install(*action);
    return 0;
}

void TakenSignal::passOn(siginfo_t* info, void* context) noexcept {
    const Action action = programs_[newest_.load(std::memory_order_acquire)];
    if (manner_ == Manner::Programs && isHandler(action) &&
        (action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0)
        programs_[newest_.load(std::memory_order_relaxed)].sa_handler = SIG_DFL;
    if (manner_ == Manner::Ours && isHandler(action))
        letThrough(action, number_, *static_cast<const ucontext_t*>(context));
    if (isHandler(action) && (action.sa_flags & SA_SIGINFO) != 0)
        action.sa_sigaction(number_, info, context);
    else if (isHandler(action))
        action.sa_handler(number_);
    else if (manner_ == Manner::Programs && action.sa_handler == SIG_DFL)
        doDefault(info);
}

/// A fault comes again when the handler has returned; what was sent is sent once more.
void TakenSignal::doDefault(const siginfo_t* info) noexcept {
    Action action{};
    action.sa_handler = SIG_DFL;
    setAction(number_, &action, nullptr);
    if (info->si_code <= 0) ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), number_);
}

}  // namespace holos::tracing::interpose

HOLOS_INTERPOSED int sigaction(int number, const struct sigaction* action,
                               struct sigaction* before) noexcept {
    using namespace holos::tracing::interpose;
    TakenSignal* const ours = takenSignal(number);
    return ours != nullptr ? ours->keep(action, before) : setAction(number, action, before);
}

HOLOS_INTERPOSED sighandler_t signal(int number, sighandler_t handler) noexcept {
    using namespace holos::tracing::interpose;
    static constinit Next<sighandler_t(int, sighandler_t)> next("signal");
    TakenSignal* const ours = takenSignal(number);
    if (ours == nullptr) return next.behind(__builtin_return_address(0))(number, handler);
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ours->keep(&action, &before);
    return before.sa_handler;
}
