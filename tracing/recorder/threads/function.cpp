// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/threads/function.h"

namespace holos::tracing::threads {
namespace {

/// One thread defines the regions; others that come meanwhile record nothing yet.
enum class State : std::uint8_t { Open, Begun, Done };
std::atomic<State> state{State::Open};

}  // namespace

bool isPrepared() noexcept {
    return state.load(std::memory_order_acquire) == State::Done;
}

void prepareSynchronization() noexcept {
    State open = State::Open;
    if (isPrepared() || !state.compare_exchange_strong(open, State::Begun)) return;
    defineMutexes();
    defineMeetings();
    defineSharedLocks();
    state.store(State::Done, std::memory_order_release);
}

}  // namespace holos::tracing::threads
