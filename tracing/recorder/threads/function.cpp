// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/threads/function.h"

namespace holos::tracing::threads {
namespace {

/// One thread defines the regions; others that come meanwhile record nothing yet.
class Definition {
  public:
    bool isDone() const noexcept { return state_.load(std::memory_order_acquire) == State::Done; }

    template <class Define>
    void doOnce(Define define) noexcept {
        State open = State::Open;
        if (isDone() || !state_.compare_exchange_strong(open, State::Begun)) return;
        define();
        state_.store(State::Done, std::memory_order_release);
    }

  private:
    enum class State : std::uint8_t { Open, Begun, Done };
    std::atomic<State> state_{State::Open};
};
constinit Definition ofMutexes, ofOthers;

}  // namespace

bool mutexesAreRecorded() noexcept {
    return ofMutexes.isDone();
}

bool othersAreRecorded() noexcept {
    return ofOthers.isDone();
}

void prepareOthers() noexcept {
    ofOthers.doOnce([] {
        defineMeetings();
        defineSharedLocks();
    });
}

void prepareSynchronization() noexcept {
    ofMutexes.doOnce(&defineMutexes);
    prepareOthers();
}

}  // namespace holos::tracing::threads
