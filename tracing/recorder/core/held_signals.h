// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/taken_signal.h"

namespace holos::tracing::core {

/// While one lives, signals to the calling thread wait. For what has to be done to its end, as with a lock
/// held: a handler of the program may leave what it interrupts for good (`siglongjmp`). Two system calls, so
/// for rare work only; none where the program has given them up.
class HeldSignals {
  public:
    HeldSignals() noexcept : isOn_(interpose::may(interpose::Need::Storage)) {
        const sigset_t all = interpose::signalsThatWait();
        if (isOn_) isOn_ = ::pthread_sigmask(SIG_BLOCK, &all, &before_) == 0;
    }
    ~HeldSignals() {
        if (isOn_) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

  private:
    sigset_t before_{};
    bool isOn_;
};

}  // namespace holos::tracing::core
