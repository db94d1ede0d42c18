// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "base/stopped.h"

namespace holos::analyzer::workers {

/// Who does the work. Units of work are numbered and independent but for one promise: a unit is started only
/// after all units with smaller numbers were started, so that a unit may wait for one with a smaller number.
/// Thread safety: one thread calls, and units run in several.
class Workers {
  public:
    virtual ~Workers() = default;
    /// Calls `work(0)` … `work(count - 1)`, each once, and returns when all are done. When a unit throws, no
    /// more are started, all started ones end, and the exception of the unit with the smallest number comes
    /// out.
    virtual void forEach(std::size_t count, const std::function<void(std::size_t)>& work) = 0;
};

/// Workers that start no more units once `stopped` is true, and then throw `Stopped`. Not for units that wait
/// for each other.
class Stoppable final : public Workers {
  public:
    Stoppable(std::unique_ptr<Workers> workers, const std::atomic<bool>* stopped)
        : workers_(std::move(workers)), stopped_(stopped) {}

    void forEach(std::size_t count, const std::function<void(std::size_t)>& work) override {
        throwIfStopped(stopped_);
        workers_->forEach(count, [&](std::size_t unit) {
            if (stopped_ == nullptr || !*stopped_) work(unit);
        });
        throwIfStopped(stopped_);
    }

  private:
    std::unique_ptr<Workers> workers_;
    const std::atomic<bool>* stopped_;
};

/// `count` threads, the caller among them; 0 takes as many as the machine has processors.
std::unique_ptr<Workers> makeThreads(unsigned count);

}  // namespace holos::analyzer::workers
