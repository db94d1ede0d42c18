// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/chosen.h"
#include "metric-specs/plan.h"
#include "metric-specs/specification.h"

namespace holos::campaign {

/// Why a machine cannot count these events together; nothing when it can.
using WhyNotCounted = std::function<std::optional<std::string>(const std::vector<std::string>&)>;

/// Events that a machine refuses, with its reason.
using Refused = std::map<std::string, std::string>;

/// A specification for a machine that cannot count some events: what follows from them alone is left out, so
/// that its alternatives are planned instead. `unavailable` are these events and the metrics left without any
/// definition.
struct Countable {
    specs::Specification specification;
    std::set<std::string> unavailable;
};
Countable withoutEvents(specs::Specification specification, const Refused& refused);

inline constexpr std::size_t kMostRepetitions = 10;

/// What runs of a campaign leave.
enum class Recording : unsigned char {
    OneTrace,  ///< the first one a trace, for its wait states, and the others profiles
    Profiles,
    Traces
};

/// What a campaign is to measure.
struct Request {
    Chosen<std::string> wanted = kAll;          ///< as in `specs::PlanRequest`
    std::vector<std::string> sets = {};         ///< sets of the file as they are, instead of a plan
    std::optional<std::size_t> registers = {};  ///< instead of the number that the file gives
    std::size_t repetitions = 1;                ///< of each measurement, at least
    /// A measurement is repeated until the totals of its events are known within this part of them (95 %
    /// confidence); 0: never more often than `repetitions`.
    double within = 0;
    std::size_t most = kMostRepetitions;  ///< of one measurement, for that
    Recording recording = Recording::OneTrace;
    bool comparesMultiplexed = false;  ///< one more run counts all events at once

    bool operator==(const Request&) const = default;
};

/// Events that are counted together in one run, by the names under which this machine counts them.
using Measurement = std::vector<std::string>;

struct Plan {
    std::vector<Measurement> measurements;
    std::size_t atLeast = 0;  ///< no plan of what can be counted has fewer
    std::vector<specs::Uncovered> uncovered;
    Refused refused;  ///< what was known before and what was found now
};

/// Plans the measurements with what the machine can count. An event that it refuses is left out, and metrics
/// are planned by their alternatives; events that it refuses only together are counted in several runs.
/// Throws Error for unknown names, and when nothing is left to be measured.
Plan planMeasurements(const specs::Specification& specification, const Request& request, Refused refused,
                      const WhyNotCounted& whyNotCounted);

}  // namespace holos::campaign
