// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/openmp/team.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <new>
#include <utility>

#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/memory/heap.h"

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

namespace {

/// `bottom` of the shares around the present one is kept on this stack of nesting levels.
struct Bottoms {
    static constexpr std::uint32_t kMost = 32;
    std::uint32_t depth;
    std::uint32_t bottom[kMost];
};

/// What the calling thread is in. `bottom` is where the present share's constructs begin.
struct OpenWork {
    static constexpr std::uint32_t kMost = 64;
    std::uint32_t depth;
    std::uint32_t bottom;
    const void* single;  ///< the construct whose barrier is expected
    Work work[kMost];
    Bottoms bottoms;
};

/// Where there is no memory for it, the recording is over.
[[gnu::noinline, gnu::cold]] OpenWork& makeOpenWork() noexcept {
    static OpenWork none;
    void* const memory = heap::allocate(sizeof(OpenWork));
    if (memory == nullptr) {
        core::fail(ENOMEM);
        return none;
    }
    auto* const made = new (memory) OpenWork{};
    core::thisThread.constructs = made;
    return *made;
}

/// Not in static thread-local storage, of which the loader keeps little for preloaded libraries where it has
/// been told to load auditing ones (LD_AUDIT).
OpenWork& openWork() noexcept {
    void* const own = core::thisThread.constructs;
    return own != nullptr ? *static_cast<OpenWork*>(own) : makeOpenWork();
}

void openShare() {
    OpenWork& open = openWork();
    if (open.bottoms.depth < Bottoms::kMost) open.bottoms.bottom[open.bottoms.depth] = open.bottom;
    ++open.bottoms.depth;
    open.bottom = open.depth;
    open.single = nullptr;
}

/// Leaves what a share left open, as after a cancellation.
void closeShare() {
    OpenWork& open = openWork();
    while (open.depth > open.bottom) endWork();
    open.single = nullptr;
    if (open.bottoms.depth == 0) return;
    --open.bottoms.depth;
    open.bottom = open.bottoms.depth < Bottoms::kMost ? open.bottoms.bottom[open.bottoms.depth] : open.depth;
}

RegionRef addWork(Construct construct, const void* returnAddress) noexcept {
    OpenWork& open = openWork();
    const Work work{regionAt(construct, returnAddress), returnAddress};
    if (open.depth < OpenWork::kMost) open.work[open.depth] = work;
    ++open.depth;
    open.single = nullptr;
    return work.region;
}

}  // namespace

ParallelRegion beginParallel(Construct construct, const void* returnAddress, std::uint32_t size,
                             PathRef path) noexcept {
    const ParallelRegion parallel{defineTeam(levelOfNextTeam(), size, path),
                                  regionAt(construct, returnAddress),
                                  regionAt(Construct::ImplicitBarrier, returnAddress), path};
    threadFork(Paradigm::OpenMp, size);
    return parallel;
}

void beginShare(const ParallelRegion& parallel, std::uint32_t number) noexcept {
    joinTeam(parallel.team, number);
    // No function of the program led a worker here: its stack begins in the runtime system.
    enterAtMark(parallel.region, number == 0 ? parallel.path : 0);
    openShare();
}

void finishShare(const ParallelRegion& parallel, std::uint32_t number) noexcept {
    closeShare();
    if (number == 0)
        enterDirectly(parallel.barrier);
    else
        endShare(parallel.team, parallel.region, parallel.barrier);
}

void endParallel(const ParallelRegion& parallel) noexcept {
    markTime();
    leaveAtMark(parallel.barrier);
    leaveAtMark(parallel.region);
    closeShares(parallel.team);
    leaveTeam(parallel.team);
    threadJoin(Paradigm::OpenMp);
}

void beginWork(Construct construct, const void* returnAddress) noexcept {
    enter(addWork(construct, returnAddress));
}

void beginWorkOfRegion(Construct construct, const void* returnAddress) noexcept {
    enterDirectly(addWork(construct, returnAddress));
}

const Work* currentWork() noexcept {
    OpenWork& open = openWork();
    if (open.depth <= open.bottom || open.depth > OpenWork::kMost) return nullptr;
    return &open.work[open.depth - 1];
}

void endWork() noexcept {
    OpenWork& open = openWork();
    if (open.depth <= open.bottom) return;
    --open.depth;
    if (open.depth < OpenWork::kMost) leave(open.work[open.depth].region);
}

namespace {

thread_local Turn ownTurn __attribute__((tls_model("initial-exec")));

/// Where the threads of a team wait for each other's iterations. Null where there is no team.
Lock* placeOfTurns() {
    const TeamRef team = ownTask().team;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a key, at which nothing is read
    return team != 0 ? waitPlaceAt(reinterpret_cast<const void*>(std::uintptr_t{team}), WaitPlace::Turn)
                     : nullptr;
}

}  // namespace

/// One row of turns for each team: the ordered constructs of a team follow each other.
void beginTurn(const void* returnAddress) noexcept {
    if (Lock* const place = placeOfTurns(); place != nullptr) ownTurn = recordTurn(*place);
    beginWork(Construct::OrderedBlock, returnAddress);
}

void endTurn() noexcept {
    recordEnd(std::exchange(ownTurn, {}));
    endWork();
}

void tellIteration() noexcept {
    if (Lock* const place = placeOfTurns(); place != nullptr) recordWake(*place);
}

void waitedForIteration() noexcept {
    if (Lock* const place = placeOfTurns(); place != nullptr) recordWoken(*place);
}

void expectBarrierOfSingle(const void* address) noexcept {
    OpenWork& open = openWork();
    open.single = address;
}

const void* takeBarrierOfSingle() noexcept {
    OpenWork& open = openWork();
    return std::exchange(open.single, nullptr);
}

}  // namespace holos::tracing::openmp
