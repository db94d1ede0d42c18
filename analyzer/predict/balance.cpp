// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/balance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "analyzer/predict/windows.h"

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

/// In the course of a process: it, and all others, come to the same point of the program.
struct Boundary {
    Ticks time;
    std::uint32_t number;  ///< equal for all who come to it
};

/// The points at which processes come together: all of them, or, where every process does it as often, those
/// of several groups, each of which meets by itself.
class CommonPoints {
  public:
    CommonPoints(const RunGraph& graph, const trace::Definitions& definitions) : graph_(graph) {
        for (const trace::Process& process : definitions.processes)
            if (!process.accelerator && !process.threads.empty()) ++processes_;
        if (processes_ > 1) {
            countMembers();
            leaveOutTeams(definitions);
        }
        for (const trace::Process& process : definitions.processes)
            stages_.push_back(processes_ < 2 || process.threads.empty() || process.accelerator
                                  ? std::vector<Stage>()
                                  : stagesOf(graph.locations[process.threads.front().index()]));
        findCommon();
    }

    /// By process, in their order.
    std::vector<std::vector<Boundary>> boundaries() {
        std::vector<std::vector<Boundary>> all;
        for (const std::vector<Stage>& stages : stages_) {
            std::vector<Boundary>& own = all.emplace_back();
            for (const Stage& stage : stages) {
                std::uint32_t ordinal = 0;
                for (const Step& step : stage.steps)
                    if (isCommon(stage.meeting, step.kind))
                        own.push_back({step.time, numberOf(stage.meeting, ordinal++)});
                if (stage.meeting != kRest) own.push_back({stage.end, numberOf(stage.meeting, kNone)});
            }
        }
        return all;
    }

  private:
    /// What a process does with some others: it begins an operation that goes on meanwhile, or ends one of
    /// some kind.
    using StepKind = std::uint8_t;
    static constexpr StepKind kBegins = 0xFF;
    struct Step {
        Ticks time;
        StepKind kind;
    };
    /// Until all meet.
    struct Stage {
        std::uint32_t meeting = kRest;
        Ticks end = 0;
        std::vector<Step> steps;
    };

    /// The meetings of a scan count for each other: all belong to the last one.
    std::uint32_t lastOf(std::uint32_t meeting) const {
        while (graph_.meetings[meeting].next != kNone) meeting = graph_.meetings[meeting].next;
        return meeting;
    }
    /// By last meeting: how many marks count for it, also by way of others.
    void countMembers() {
        members_.assign(graph_.meetings.size(), 0);
        for (std::uint32_t i = 0; i < members_.size(); ++i) {
            const std::uint32_t last = lastOf(i);
            members_[last] += graph_.meetings[i].arrivals;
            if (last != i) --members_[last];  // it is an arrival itself
        }
    }

    /// A team of as many threads as there are processes meets, too: of them one process knows.
    void leaveOutTeams(const trace::Definitions& definitions) {
        std::unordered_map<std::uint32_t, std::uint32_t> come;
        for (const trace::Process& process : definitions.processes) {
            if (process.threads.empty() || process.accelerator) continue;
            const LocationGraph& location = graph_.locations[process.threads.front().index()];
            for (PackedMarks::Reader mark(location.marks); !mark.isAtEnd(); mark.next())
                for (const std::uint32_t arrival : mark->arrivals) ++come[lastOf(arrival)];
        }
        for (std::uint32_t meeting = 0; meeting < members_.size(); ++meeting)
            if (members_[meeting] == processes_ && come[meeting] != processes_) members_[meeting] = 0;
    }

    std::vector<Stage> stagesOf(const LocationGraph& location) const {
        std::vector<Stage> stages(1);
        bool begins = false;  // the mark before
        Ticks time = 0;
        for (PackedMarks::Reader mark(location.marks); !mark.isAtEnd(); mark.next()) {
            const bool ends = mark->exchange && mark->exchange->participants > 1;
            if (begins && !ends) stages.back().steps.push_back({time, kBegins});
            if (ends)
                stages.back().steps.push_back({mark->time, static_cast<StepKind>(mark->exchange->operation)});
            begins = false;
            time = mark->time;
            for (const std::uint32_t arrival : mark->arrivals) {
                const std::uint32_t meeting = lastOf(arrival);
                if (members_[meeting] == processes_) {
                    stages.back().meeting = meeting;
                    stages.back().end = time;
                    stages.emplace_back();
                    begins = false;
                } else if (members_[meeting] > 1) {
                    begins = true;
                }
            }
        }
        return stages;
    }

    /// Steps of a kind that each process makes as often, in one stage.
    struct Shared {
        std::uint32_t count = 0;
        std::uint32_t processes = 0;
        bool isEven = true;
    };
    void findCommon() {
        std::unordered_map<std::uint32_t, std::uint32_t> comers;
        std::map<std::pair<std::uint32_t, StepKind>, Shared> all;
        for (const std::vector<Stage>& stages : stages_)
            for (const Stage& stage : stages) {
                ++comers[stage.meeting];
                std::map<StepKind, std::uint32_t> counts;
                for (const Step& step : stage.steps) ++counts[step.kind];
                for (const auto& [kind, count] : counts) {
                    Shared& shared = all[{stage.meeting, kind}];
                    if (shared.processes++ == 0) shared.count = count;
                    shared.isEven = shared.isEven && shared.count == count;
                }
            }
        for (const auto& [step, shared] : all)
            if (shared.isEven && shared.processes == comers[step.first]) common_.insert(step);
    }
    bool isCommon(std::uint32_t meeting, StepKind kind) const { return common_.contains({meeting, kind}); }

    std::uint32_t numberOf(std::uint32_t meeting, std::uint32_t ordinal) {
        return numbers_.try_emplace({meeting, ordinal}, static_cast<std::uint32_t>(numbers_.size()))
            .first->second;
    }

    const RunGraph& graph_;
    std::uint32_t processes_ = 0;
    std::vector<std::uint32_t> members_;
    std::vector<std::vector<Stage>> stages_;  ///< by process
    std::set<std::pair<std::uint32_t, StepKind>> common_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
};

/// From one point to the next to which all processes come; the first thread of each does.
class Epochs {
  public:
    Epochs(const RunGraph& graph, const trace::Definitions& definitions)
        : definitions_(definitions), byProcess_(CommonPoints(graph, definitions).boundaries()) {}

    std::vector<Segment> of(const LocationGraph& graph, trace::LocationId location) const {
        const std::vector<Boundary>& ends = byProcess_[definitions_[location].process.index()];
        std::vector<Segment> segments;
        std::size_t epoch = 0;
        segments.push_back({0, ends.empty() ? kRest : ends.front().number});
        Ticks time = 0;
        for (PackedMarks::Reader mark(graph.marks); !mark.isAtEnd(); mark.next()) {
            for (; mark.position() != 0 && epoch < ends.size() && time >= ends[epoch].time;) {
                ++epoch;
                segments.push_back({mark->slice, epoch < ends.size() ? ends[epoch].number : kRest});
            }
            time = mark->time;
        }
        return segments;
    }

  private:
    const trace::Definitions& definitions_;
    std::vector<std::vector<Boundary>> byProcess_;
};

/// What is worked on until each of the times.
std::vector<Segment> segmentsUntil(const std::vector<Ticks>& times, const LocationGraph& graph) {
    std::vector<Segment> segments{{0, 0}};
    std::uint32_t passed = 0;
    for (PackedMarks::Reader mark(graph.marks); !mark.isAtEnd() && passed < times.size(); mark.next()) {
        const std::uint32_t before = passed;
        while (passed < times.size() && mark->time > times[passed]) ++passed;
        if (passed != before) segments.push_back({mark->slice, passed});
    }
    return segments;
}

struct Sum {
    double work = 0;
    double most = 0;
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
    const bool ofTeams = among == Among::Teams || (among == Among::Everybody && processes == 1);
    const bool ofWindows = among == Among::Tied || among == Among::Working;
    std::optional<Epochs> epochs;
    if (!ofWindows && !ofTeams && among != Among::Together) epochs.emplace(graph, trace.definitions);
    std::vector<Ticks> windows;
    if (ofWindows)
        windows = windowsOf(graph, trace.definitions, among == Among::Tied ? Tie::Mutual : Tie::Any);
    if (ofWindows && windows.empty()) return false;
    const auto segmentsOf = [&](std::size_t i) {
        if (among == Among::Together) return std::vector<Segment>{{0, graph.locations[i].together}};
        if (ofWindows) return segmentsUntil(windows, graph.locations[i]);
        return ofTeams ? teamSegments(graph.locations[i])
                       : epochs->of(graph.locations[i], trace::LocationId(i));
    };
    std::vector<Work> work(graph.locations.size());
    std::unordered_map<std::uint32_t, Sum> sums;
    for (std::size_t i = 0; i < work.size(); ++i) {
        work[i].segments = segmentsOf(i);
        work[i].ticks = workOf(trace.locations[i].profile, scales[i], isIn[i], work[i].segments);
        if (among != Among::Working) continue;
        for (std::size_t j = 0; j < work[i].ticks.size(); ++j) {
            double& most = sums[work[i].segments[j].meeting].most;
            most = std::max(most, work[i].ticks[j]);
        }
    }
    const auto sumOf = [&](const Work& of, std::size_t segment) -> Sum* {
        constexpr double kMuch = 0.1;  // of what the one who does most there does
        Sum& sum = sums[of.segments[segment].meeting];
        const double ticks = of.ticks[segment];
        return ticks > 0 && ticks >= kMuch * sum.most ? &sum : nullptr;
    };
    for (const Work& of : work)
        for (std::size_t j = 0; j < of.ticks.size(); ++j) {
            Sum* sum = sumOf(of, j);
            if (sum == nullptr) continue;
            sum->work += of.ticks[j];
            ++sum->locations;
        }
    bool changes = false;
    for (std::size_t i = 0; i < work.size(); ++i) {
        LocationScales::Layer layer{isIn[i], {}};
        for (std::size_t j = 0; j < work[i].ticks.size(); ++j) {
            double scale = 1;
            const Segment& segment = work[i].segments[j];
            const bool isOfNone = segment.meeting == kNone && (ofTeams || among == Among::Together);
            if (const Sum* sum = sumOf(work[i], j); sum != nullptr && !isOfNone)
                scale = sum->work / sum->locations / work[i].ticks[j];
            layer.spans.push_back({segment.slice, scale});
            changes = changes || std::abs(scale - 1) > 1e-9;
        }
        scales[i].layers.push_back(std::move(layer));
    }
    return changes;
}

}  // namespace holos::analyzer::predict
