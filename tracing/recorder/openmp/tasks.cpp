// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/openmp/tasks.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "tracing/recorder/openmp/constructs.h"

namespace holos::tracing::openmp {
namespace {

thread_local const Task* present __attribute__((tls_model("initial-exec"))) = nullptr;

/// A thread takes many numbers at once, so that threads rarely meet.
std::uint32_t nextGeneration() noexcept {
    constexpr std::uint32_t kBlock = 1024;
    static std::atomic<std::uint32_t> taken{0};
    thread_local std::uint32_t used __attribute__((tls_model("initial-exec"))) = 0;
    if (used % kBlock == 0) used = taken.fetch_add(kBlock, std::memory_order_relaxed);
    return ++used;
}

/// The task is created by another one.
void standBelow(const Task& creator, Task& task) noexcept {
    task.around = creator.around;
    task.depth = creator.depth;
    if (task.depth < task.around.size())
        task.around[task.depth++] = creator.construct;
    else
        task.construct.created = 0;  // so many are nested that nobody can tell whether there is an end
    const auto end = task.around.begin() + task.depth;
    const auto same = std::find_if(task.around.begin(), end, [&](const TaskConstruct& outer) {
        return outer.region == task.construct.region;
    });
    if (same == end) return;
    task.construct = *same;
    task.depth = static_cast<std::uint32_t>(same - task.around.begin());
}

}  // namespace

Task makeTask(const void* returnAddress, PathRef created) noexcept {
    Task task{};
    const TaskId own = ownTask();
    if (own.team == 0 || !recording()) return task;
    task.id = {own.team, own.creator, nextGeneration()};
    task.construct = {regionAt(Construct::Task, returnAddress), created};
    if (present != nullptr) standBelow(*present, task);
    return task;
}

const Task* presentTask() noexcept {
    return present;
}

WorkOnTask workOnTask(const Task& task, const void* end) noexcept {
    const Task* const before = std::exchange(present, &task);
    return {before, replaceTaskCalls({end, task.construct.created})};
}

void goOnWith(const WorkOnTask& work) noexcept {
    present = work.task;
    replaceTaskCalls(work.calls);
}

}  // namespace holos::tracing::openmp
