// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>

#include "tracing/recorder/interpose/pause.h"

namespace holos::tracing::core {

/// While one exists, the calling thread has a mutex of the recorder, whose calls are not the program's and
/// not recorded. What it does meanwhile is.
class OwnLock {
  public:
    explicit OwnLock(std::mutex& mutex) noexcept : mutex_(mutex) {
        const Pause pause;
        mutex_.lock();
    }
    ~OwnLock() {
        const Pause pause;
        mutex_.unlock();
    }
    OwnLock(const OwnLock&) = delete;
    OwnLock& operator=(const OwnLock&) = delete;

  private:
    std::mutex& mutex_;
};

}  // namespace holos::tracing::core
