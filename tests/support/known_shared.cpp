// SPDX-License-Identifier: BSD-3-Clause
// What all processes share: a window whose accesses end in a fence, and a file that all write together. All
// wait for the last one.
#include "tests/support/known_scenes.h"

namespace holos::testing {
namespace {

constexpr OTF2_RmaWinRef kWindow = 0;
constexpr OTF2_IoHandleRef kFile = 0;
constexpr std::uint64_t kSharedBytes = 16;

}  // namespace

void playShared(Actor& actor, const Play& play) {
    const bool isFile = play.scene == Scene::File;
    const Tick own = play.arrival(actor.rank());
    const Latest latest = play.latest();
    const Tick end = latest.time + 10 * kStep;
    work(actor, play);
    if (actor.rank() == latest.rank)
        actor.addTime(isFile ? "delay_io" : "delay_rma_window", actor.path(kWork),
                      play.waitOfAll(latest.time));
    actor.call(own, end, isFile ? "MPI_File_write_all" : "MPI_Win_fence", [&] {
        if (isFile)
            actor.script().writeTogether(own, end, kFile, kSharedBytes);
        else
            actor.script().fence(own, end, kWindow);
        actor.addTime(isFile ? "mpi_io_collective_wait" : "mpi_rma_wait_at_fence", latest.time - own);
    });
}

}  // namespace holos::testing
