// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QThread>
#include <atomic>
#include <memory>

#include "gui/models/value_cache.h"

namespace holos::gui {

/// Asks a cache for the totals of all metrics in a thread of its own, parents before children, so that they
/// are known before somebody opens a hierarchy. Leaves out what would take too much memory. Destruction
/// waits for the metric that is being read.
///
/// Thread safety: one thread; its own uses of the cache only what is safe there.
class Prefetch {
  public:
    /// The cache must outlive the object.
    explicit Prefetch(ValueCache& cache);
    ~Prefetch();
    Prefetch(Prefetch&&) = delete;

    /// Until everything is known.
    void wait() { thread_->wait(); }

  private:
    void run();

    ValueCache& cache_;
    std::atomic<bool> stopped_ = false;
    std::unique_ptr<QThread> thread_;
};

}  // namespace holos::gui
