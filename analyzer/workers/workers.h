// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace holos::analyzer::workers {

/// Who does the work. Units of work are numbered and independent but for one promise: a unit is started only
/// after all units with smaller numbers were started, so that a unit may wait for one with a smaller number.
/// Thread safety: one thread calls, and units run in several.
class Workers {
  public:
    virtual ~Workers() = default;
    /// Calls `work(0)` … `work(count - 1)`, each once, and returns when all are done. When units throw, all
    /// started ones end, and the exception of the unit with the smallest number comes out.
    virtual void forEach(std::size_t count, const std::function<void(std::size_t)>& work) = 0;
};

/// `count` threads, the caller among them; 0 takes as many as the machine has processors.
std::unique_ptr<Workers> makeThreads(unsigned count);

}  // namespace holos::analyzer::workers
