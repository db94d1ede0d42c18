// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/openmp/tasks.h"

#include <atomic>

#include "tracing/openmp/constructs.h"

namespace holos::tracing::openmp {
namespace {

/// A thread takes many numbers at once, so that threads rarely meet.
std::uint32_t nextGeneration() noexcept {
    constexpr std::uint32_t kBlock = 1024;
    static std::atomic<std::uint32_t> taken{0};
    thread_local std::uint32_t used __attribute__((tls_model("initial-exec"))) = 0;
    if (used % kBlock == 0) used = taken.fetch_add(kBlock, std::memory_order_relaxed);
    return ++used;
}

}  // namespace

Task makeTask(const void* returnAddress) noexcept {
    const TaskId own = ownTask();
    if (own.team == 0 || !recording()) return {};
    return {{own.team, own.creator, nextGeneration()}, regionAt(Construct::Task, returnAddress)};
}

}  // namespace holos::tracing::openmp
