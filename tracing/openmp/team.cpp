// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/openmp/team.h"

#include <utility>

namespace holos::tracing::openmp {
namespace {

/// What the calling thread is in. `bottom` is where the present share's constructs begin.
struct OpenWork {
    static constexpr std::uint32_t kMost = 64;
    std::uint32_t depth;
    std::uint32_t bottom;
    const void* single;  ///< the construct whose barrier is expected
    Work work[kMost];
};
thread_local OpenWork open __attribute__((tls_model("initial-exec")));

/// `bottom` of the shares around the present one is kept on this stack of nesting levels.
struct Bottoms {
    static constexpr std::uint32_t kMost = 32;
    std::uint32_t depth;
    std::uint32_t bottom[kMost];
};
thread_local Bottoms bottoms __attribute__((tls_model("initial-exec")));

void openShare() {
    if (bottoms.depth < Bottoms::kMost) bottoms.bottom[bottoms.depth] = open.bottom;
    ++bottoms.depth;
    open.bottom = open.depth;
    open.single = nullptr;
}

/// Leaves what a share left open, as after a cancellation.
void closeShare() {
    while (open.depth > open.bottom) endWork();
    open.single = nullptr;
    if (bottoms.depth == 0) return;
    --bottoms.depth;
    open.bottom = bottoms.depth < Bottoms::kMost ? bottoms.bottom[bottoms.depth] : open.depth;
}

}  // namespace

ParallelRegion beginParallel(const void* returnAddress, std::uint32_t level, std::uint32_t size,
                             PathRef path) noexcept {
    const ParallelRegion parallel{defineTeam(level, size, path), regionAt(Construct::Parallel, returnAddress),
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
    const Work work{regionAt(construct, returnAddress), returnAddress};
    if (open.depth < OpenWork::kMost) open.work[open.depth] = work;
    ++open.depth;
    open.single = nullptr;
    enter(work.region);
}

const Work* currentWork() noexcept {
    if (open.depth <= open.bottom || open.depth > OpenWork::kMost) return nullptr;
    return &open.work[open.depth - 1];
}

void endWork() noexcept {
    if (open.depth <= open.bottom) return;
    --open.depth;
    if (open.depth < OpenWork::kMost) leave(open.work[open.depth].region);
}

void expectBarrierOfSingle(const void* address) noexcept {
    open.single = address;
}

const void* takeBarrierOfSingle() noexcept {
    return std::exchange(open.single, nullptr);
}

}  // namespace holos::tracing::openmp
