// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/large_trace.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/support/trace_builder.h"
#include "tests/support/trace_writer.h"

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

constexpr Tick kLongestParallel = 4 * kLongestStep;

Tick roundLength(const LargeTraceShape& shape) {
    return 2 * shape.callsPerRound * kLongestStep + shape.parallelsPerRound * kLongestParallel + 100;
}

/// Regions that are not functions of the call tree.
struct KnownRegions {
    OTF2_RegionRef main, send, recv, parallel, barrier;
};

/// Writes the events of one thread, round by round.
class ThreadWriter {
  public:
    ThreadWriter(OTF2_EvtWriter* out, unsigned rank, unsigned thread, const LargeTraceShape& shape,
                 const CallTree& tree, const KnownRegions& regions, OTF2_TimeStamp begin)
        : out_(out),
          rank_(rank),
          thread_(thread),
          shape_(shape),
          tree_(tree),
          regions_(regions),
          random_(rank + 1),
          begin_(begin),
          time_(begin) {}

    OTF2_ErrorCode writeMaster() {
        enter(regions_.main);
        for (std::uint64_t round = 0; round < shape_.rounds; ++round) {
            calls();
            parallels(round);
            time_ = beginOf(round + 1) - 50 + rank_ % 8;
            exchange(regions_.send, regions_.recv);
        }
        time_ = beginOf(shape_.rounds);
        leave(regions_.main);
        return result_;
    }

    OTF2_ErrorCode writeWorker() {
        for (std::uint64_t round = 0; round < shape_.rounds; ++round) parallels(round);
        return result_;
    }

  private:
    OTF2_TimeStamp beginOf(std::uint64_t round) const { return begin_ + round * roundLength(shape_); }

    /// The last ones of a round. Which thread has most to do changes.
    void parallels(std::uint64_t round) {
        const auto end = beginOf(round + 1) - 100;
        const auto team = TraceWriter::teamOf(rank_);
        for (std::uint64_t left = shape_.parallelsPerRound; left-- > 0;) {
            const auto begin = end - (left + 1) * kLongestParallel;
            time_ = begin + 1;
            if (thread_ == 0)
                note(OTF2_EvtWriter_ThreadFork(out_, nullptr, time_, OTF2_PARADIGM_OPENMP, shape_.threads));
            time_ = begin + 5 + thread_ % 8;
            note(OTF2_EvtWriter_ThreadTeamBegin(out_, nullptr, time_, team));
            enter(regions_.parallel);
            time_ = begin + 20 + (17 * thread_ + 5 * left + 3 * round + rank_) % 101;
            enter(regions_.barrier);
            time_ = begin + 130 + thread_ % 8;
            leave(regions_.barrier);
            leave(regions_.parallel);
            note(OTF2_EvtWriter_ThreadTeamEnd(out_, nullptr, time_, team));
            time_ = begin + kLongestParallel - 10;
            if (thread_ == 0) note(OTF2_EvtWriter_ThreadJoin(out_, nullptr, time_, OTF2_PARADIGM_OPENMP));
        }
    }

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
    unsigned thread_;
    const LargeTraceShape& shape_;
    const CallTree& tree_;
    const KnownRegions& regions_;
    std::minstd_rand random_;
    OTF2_TimeStamp begin_;
    OTF2_TimeStamp time_;
    OTF2_ErrorCode result_ = OTF2_SUCCESS;
};

/// What is read for a node: each counter grows by its number, from 1 on, and by how often it was read.
OTF2_ErrorCode writeReadings(OTF2_EvtWriter* out, OTF2_MetricRef counters, const LargeTraceShape& shape,
                             OTF2_TimeStamp begin, Tick length) {
    const std::vector<OTF2_Type> types(shape.nodeCounters, OTF2_TYPE_UINT64);
    std::vector<OTF2_MetricValue> values(shape.nodeCounters, OTF2_MetricValue{.unsigned_int = 0});
    OTF2_ErrorCode result = OTF2_SUCCESS;
    for (std::uint64_t i = 0; i < shape.readings && result == OTF2_SUCCESS; ++i) {
        const auto time = begin + i * length / std::max<std::uint64_t>(shape.readings - 1, 1);
        result = OTF2_EvtWriter_Metric(out, nullptr, time, counters, static_cast<std::uint8_t>(types.size()),
                                       types.data(), values.data());
        for (std::size_t counter = 0; counter < values.size(); ++counter)
            values[counter].unsigned_int += counter + 1 + i;
    }
    return result;
}

void addNodeCounters(TraceBuilder& trace, const LargeTraceShape& shape, OTF2_TimeStamp begin, Tick length) {
    trace.nodes(shape.nodes);
    if (shape.nodeCounters == 0) return;
    std::vector<Counter> counters;
    for (unsigned i = 0; i < shape.nodeCounters; ++i)
        counters.push_back({"NODE_COUNTER_" + std::to_string(i)});
    const OTF2_MetricRef read = trace.counters(std::move(counters));
    for (unsigned node = 0; node < shape.nodes; ++node) {
        const unsigned rank =
            (node * shape.processes + shape.nodes - 1) / shape.nodes;  // the first one there
        const OTF2_MetricRef own = trace.countersOf(read, TraceBuilder::samplerOf(rank),
                                                    OTF2_SCOPE_SYSTEM_TREE_NODE, TraceBuilder::nodeOf(node));
        trace.sampler(rank).record(
            [=, &shape](OTF2_EvtWriter* out) { return writeReadings(out, own, shape, begin, length); });
    }
}

}  // namespace

std::filesystem::path writeLargeTrace(const std::filesystem::path& directory, const LargeTraceShape& shape) {
    TraceBuilder trace(shape.processes, shape.threads);
    trace.clock(1'000'000'000, 0);
    KnownRegions known{trace.region("main"), trace.region("MPI_Send"), trace.region("MPI_Recv"), 0, 0};
    if (shape.parallelsPerRound != 0) {
        known.parallel = trace.region("!$omp parallel @generated:1");
        known.barrier = trace.region("!$omp implicit barrier @generated:2");
    }
    std::vector<OTF2_RegionRef> functions;
    for (unsigned i = 0; i < shape.regions; ++i)
        functions.push_back(trace.region("function" + std::to_string(i)));
    const auto tree = growTree(shape, functions);
    const auto begin = trace.timestamp(0);
    const Tick length = shape.rounds * roundLength(shape);
    trace.timestamp(length);
    addNodeCounters(trace, shape, begin, length);
    for (unsigned rank = 0; rank < shape.processes; ++rank)
        for (unsigned thread = 0; thread < shape.threads; ++thread)
            trace.on(rank, thread).record([=, &shape, &tree, &known](OTF2_EvtWriter* out) {
                ThreadWriter writer(out, rank, thread, shape, tree, known, begin);
                return thread == 0 ? writer.writeMaster() : writer.writeWorker();
            });
    return trace.write(directory);
}

}  // namespace holos::testing
