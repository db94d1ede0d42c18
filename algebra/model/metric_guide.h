// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The metric with the time on an ideal network, where communication takes none, by replay of the run
/// (`analyzer::addIdealNetwork`).
inline constexpr const char* kIdealNetworkTime = "ideal_network_time";

/// What one of those who take part in a wait state does.
struct Lane {
    const char* who;
    const char* call;  ///< where it waits or lets wait
    /// A letter for each step of time: `-` computes, `d` computes for longer than others, `=` is in the call,
    /// `#` waits in it, ` ` is not there.
    const char* time;
};

/// From a step in a lane to a step in another one: a message, or what ends the waiting.
struct Arrow {
    int fromLane, from, toLane, to;
};

/// How a wait state arises, to be drawn: what each participant does in time.
struct Picture {
    std::vector<Lane> lanes;
    std::vector<Arrow> arrows = {};
};

/// What helps to understand a metric, and stands in no experiment: a file may come from another tool.
struct MetricHelp {
    std::string_view uniqueName;  ///< Scalasca's where it has the metric
    /// Of a wait state, a metric whose value is time lost by waiting for somebody else: who waits for whom,
    /// in a few words. Empty for other metrics.
    std::string_view meaning = {};
    const Picture* picture = nullptr;

    bool isWaitState() const { return !meaning.empty(); }
};

/// The help for all metrics that the analysis of traces knows, which hands it out. It never changes.
///
/// Thread safety: safe.
class MetricGuide {
  public:
    /// What `all` refers to must outlive the guide.
    explicit MetricGuide(const std::vector<MetricHelp>& all);

    /// Null where there is none.
    const MetricHelp* find(std::string_view uniqueName) const;
    bool isWaitState(std::string_view uniqueName) const;
    const Picture* pictureOf(std::string_view uniqueName) const;

    /// The wait states of an experiment that are not part of another wait state, in ascending order of ids.
    std::vector<MetricId> outermostWaitStates(const Experiment& experiment) const;

  private:
    std::map<std::string_view, MetricHelp> all_;
};

}  // namespace holos::algebra
