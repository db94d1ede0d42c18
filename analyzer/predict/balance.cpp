// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/balance.h"

#include <cmath>
#include <unordered_map>

namespace holos::analyzer::predict {

namespace {

/// Behind the last meeting of all.
constexpr std::uint32_t kRest = kNone - 1;

/// From one meeting of a team to the next; kNone where a thread is in no team.
std::vector<Segment> teamSegments(const LocationGraph& graph) {
    std::vector<Segment> segments{{0, kNone}};
    std::uint32_t start = kNone;    // since the fork or the last barrier
    std::uint32_t meeting = kNone;  // of the mark before
    bool isThreads = false;         // and whether it ends a wait for threads
    std::uint32_t last = 0;         // its slice
    const auto pass = [&](bool isBarrier, std::uint32_t next) {
        if (isBarrier && meeting != kNone) {
            if (start != kNone) segments.push_back({start, meeting});
            segments.push_back({next, kNone});
            start = next;
        } else if (isThreads) {
            start = next;
        }
    };
    for (PackedMarks::Reader mark(graph.marks); !mark.isAtEnd(); mark.next()) {
        if (mark.position() != 0) pass(mark->piece == Piece::Threads, mark->slice);
        meeting = mark->arrivals.empty() ? kNone : mark->arrivals.front();
        isThreads = mark->piece == Piece::Threads;
        last = mark->slice;
    }
    pass(false, last);
    return segments;
}

/// Between meetings of all processes, which the first thread of each comes to.
class Epochs {
  public:
    Epochs(const RunGraph& graph, const trace::Definitions& definitions) : definitions_(definitions) {
        for (const trace::Process& process : definitions.processes)
            if (!process.accelerator && !process.threads.empty()) ++processes_;
        for (const trace::Process& process : definitions.processes)
            byProcess_.push_back(process.threads.empty() || process.accelerator
                                     ? std::vector<Epoch>()
                                     : epochsOf(graph, graph.locations[process.threads.front().index()]));
    }
    std::vector<Segment> of(const LocationGraph& graph, trace::LocationId location) const {
        const auto& epochs = byProcess_[definitions_[location].process.index()];
        std::vector<Segment> segments;
        std::size_t epoch = 0;
        segments.push_back({0, epochs.empty() ? kRest : epochs.front().meeting});
        Ticks time = 0;
        for (PackedMarks::Reader mark(graph.marks); !mark.isAtEnd(); mark.next()) {
            for (; mark.position() != 0 && epoch < epochs.size() && time >= epochs[epoch].end;) {
                ++epoch;
                segments.push_back({mark->slice, epoch < epochs.size() ? epochs[epoch].meeting : kRest});
            }
            time = mark->time;
        }
        return segments;
    }

  private:
    struct Epoch {
        Ticks end;
        std::uint32_t meeting;
    };
    std::vector<Epoch> epochsOf(const RunGraph& graph, const LocationGraph& location) const {
        std::vector<Epoch> epochs;
        for (PackedMarks::Reader mark(location.marks); !mark.isAtEnd(); mark.next())
            for (const std::uint32_t meeting : mark->arrivals)
                if (processes_ > 1 && graph.meetings[meeting].arrivals == processes_ &&
                    graph.meetings[meeting].next == kNone)
                    epochs.push_back({mark->time, meeting});
        return epochs;
    }

    const trace::Definitions& definitions_;
    std::uint32_t processes_ = 0;
    std::vector<std::vector<Epoch>> byProcess_;
};

struct Sum {
    double work = 0;
    std::uint32_t locations = 0;
};

/// Of one location.
struct Work {
    std::vector<Segment> segments;
    std::vector<double> ticks;  ///< by segment
};

}  // namespace

bool balance(const RunGraph& graph, const replay::ReplayedTrace& trace,
             const std::vector<std::vector<bool>>& isIn, Among among, std::vector<LocationScales>& scales) {
    const auto processes = std::ranges::count_if(
        trace.definitions.processes,
        [](const trace::Process& process) { return !process.accelerator && !process.threads.empty(); });
    const bool ofTeams = among == Among::Teams || processes == 1;
    const Epochs epochs(graph, trace.definitions);
    std::vector<Work> work(graph.locations.size());
    std::unordered_map<std::uint32_t, Sum> sums;
    for (std::size_t i = 0; i < work.size(); ++i) {
        work[i].segments =
            ofTeams ? teamSegments(graph.locations[i]) : epochs.of(graph.locations[i], trace::LocationId(i));
        work[i].ticks = workOf(trace.locations[i].profile, scales[i], isIn[i], work[i].segments);
        for (std::size_t j = 0; j < work[i].ticks.size(); ++j) {
            if (work[i].ticks[j] <= 0) continue;
            Sum& sum = sums[work[i].segments[j].meeting];
            sum.work += work[i].ticks[j];
            ++sum.locations;
        }
    }
    bool changes = false;
    for (std::size_t i = 0; i < work.size(); ++i) {
        LocationScales::Layer layer{isIn[i], {}};
        for (std::size_t j = 0; j < work[i].ticks.size(); ++j) {
            double scale = 1;
            const Segment& segment = work[i].segments[j];
            if (work[i].ticks[j] > 0 && !(segment.meeting == kNone && ofTeams)) {
                const Sum& sum = sums[segment.meeting];
                scale = sum.work / sum.locations / work[i].ticks[j];
            }
            layer.spans.push_back({segment.slice, scale});
            changes = changes || std::abs(scale - 1) > 1e-9;
        }
        scales[i].layers.push_back(std::move(layer));
    }
    return changes;
}

}  // namespace holos::analyzer::predict
