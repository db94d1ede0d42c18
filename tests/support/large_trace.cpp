// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/large_trace.h"

#include <random>
#include <string>
#include <vector>

#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr Tick kLongestStep = 40;

/// Who may call whom: the same tree of call paths for all processes. Node 0 is `main`.
struct CallTree {
    std::vector<OTF2_RegionRef> regions;
    std::vector<std::vector<std::size_t>> callees;
};

CallTree growTree(const LargeTraceShape& shape, const std::vector<OTF2_RegionRef>& functions) {
    std::minstd_rand random(42);
    CallTree tree{{0}, {{}}};
    std::vector<unsigned> depth{0};
    while (tree.regions.size() <= shape.callPaths) {
        const auto parent = random() % tree.regions.size();
        if (depth[parent] == shape.depth) continue;
        // Siblings are different regions, as long as there are enough.
        tree.regions.push_back(functions[(parent * 7 + tree.callees[parent].size()) % functions.size()]);
        tree.callees[parent].push_back(tree.regions.size() - 1);
        tree.callees.emplace_back();
        depth.push_back(depth[parent] + 1);
    }
    return tree;
}

/// Writes the events of one process, round by round.
class ProcessWriter {
  public:
    ProcessWriter(OTF2_EvtWriter* out, unsigned rank, const LargeTraceShape& shape, const CallTree& tree,
                  OTF2_TimeStamp begin)
        : out_(out), rank_(rank), shape_(shape), tree_(tree), random_(rank + 1), time_(begin) {}

    OTF2_ErrorCode write(OTF2_RegionRef main, OTF2_RegionRef send, OTF2_RegionRef recv) {
        const auto begin = time_;
        const auto roundLength = 2 * shape_.callsPerRound * kLongestStep + 100;
        enter(main);
        for (std::uint64_t round = 0; round < shape_.rounds; ++round) {
            calls();
            time_ = begin + (round + 1) * roundLength - 50 + rank_ % 8;
            exchange(send, recv);
        }
        time_ = begin + shape_.rounds * roundLength;
        leave(main);
        return result_;
    }

  private:
    void enter(OTF2_RegionRef region) { note(OTF2_EvtWriter_Enter(out_, nullptr, time_, region)); }
    void leave(OTF2_RegionRef region) { note(OTF2_EvtWriter_Leave(out_, nullptr, time_, region)); }
    void note(OTF2_ErrorCode code) {
        if (result_ == OTF2_SUCCESS) result_ = code;
    }

    /// A walk up and down the call tree: deeper or back, at random, and all the way back at the end.
    void calls() {
        std::vector<std::size_t> open{0};
        std::uint64_t toOpen = shape_.callsPerRound;
        while (toOpen > 0 || open.size() > 1) {
            const auto number = random_();
            time_ += 1 + number % kLongestStep;
            const auto& callees = tree_.callees[open.back()];
            const bool deeper = open.size() == 1 || (!callees.empty() && (number & 1024) != 0);
            if (toOpen > 0 && deeper) {
                open.push_back(callees[(number >> 16) % callees.size()]);
                enter(tree_.regions[open.back()]);
                --toOpen;
            } else {
                leave(tree_.regions[open.back()]);
                open.pop_back();
            }
        }
    }

    void exchange(OTF2_RegionRef send, OTF2_RegionRef recv) {
        const unsigned next = (rank_ + 1) % shape_.processes;
        const unsigned previous = (rank_ + shape_.processes - 1) % shape_.processes;
        enter(send);
        note(OTF2_EvtWriter_MpiSend(out_, nullptr, time_, next, kWorld, 0, 1024));
        time_ += 5;
        leave(send);
        enter(recv);
        time_ += 15;
        note(OTF2_EvtWriter_MpiRecv(out_, nullptr, time_, previous, kWorld, 0, 1024));
        leave(recv);
    }

    OTF2_EvtWriter* out_;
    unsigned rank_;
    const LargeTraceShape& shape_;
    const CallTree& tree_;
    std::minstd_rand random_;
    OTF2_TimeStamp time_;
    OTF2_ErrorCode result_ = OTF2_SUCCESS;
};

}  // namespace

std::filesystem::path writeLargeTrace(const std::filesystem::path& directory, const LargeTraceShape& shape) {
    TraceBuilder trace(shape.processes);
    trace.clock(1'000'000'000, 0);
    const auto main = trace.region("main");
    const auto send = trace.region("MPI_Send");
    const auto recv = trace.region("MPI_Recv");
    std::vector<OTF2_RegionRef> functions;
    for (unsigned i = 0; i < shape.regions; ++i)
        functions.push_back(trace.region("function" + std::to_string(i)));
    const auto tree = growTree(shape, functions);
    const auto begin = trace.timestamp(0);
    trace.timestamp(shape.rounds * (2 * shape.callsPerRound * kLongestStep + 100));  // the trace's length
    for (unsigned rank = 0; rank < shape.processes; ++rank)
        trace.on(rank).record([=, &shape, &tree](OTF2_EvtWriter* out) {
            return ProcessWriter(out, rank, shape, tree, begin).write(main, send, recv);
        });
    return trace.write(directory);
}

}  // namespace holos::testing
