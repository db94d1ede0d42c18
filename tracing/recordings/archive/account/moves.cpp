// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/moves.h"

namespace holos::archive {

std::string describeMoves(const TracePlan& plan) {
    std::size_t threads = 0;
    std::size_t moved = 0;
    std::size_t far = 0;
    std::uint64_t most = 0;
    std::string who;
    for (const auto& process : plan.processes)
        for (const auto& location : process.locations) {
            const Placement& placement = location.placement;
            if (location.isSamples) continue;
            ++threads;
            if (!placement.moved()) continue;
            ++moved;
            if (placement.numaNodesSeen > 1) ++far;
            if (placement.moves() < most || (placement.moves() == most && !who.empty())) continue;
            most = placement.moves();
            who = location.name + " of " + process.name;
        }
    if (moved == 0) return {};
    const std::string often = std::to_string(most) + (most == 1 ? " time" : " times");
    std::string text;
    if (threads == 1) {
        text =
            "the only thread moved between cores" + std::string(far > 0 ? " and NUMA nodes, " : ", ") + often;
    } else {
        text = std::to_string(moved) + " of " + std::to_string(threads) + " threads moved between cores";
        if (far > 0) text += ", " + std::to_string(far) + " of them between NUMA nodes";
        text += "; most often " + who + ", " + often;
    }
    return text +
           ". Bound threads (OMP_PROC_BIND=true, mpirun --bind-to core) give values that vary less from run "
           "to run";
}

}  // namespace holos::archive
