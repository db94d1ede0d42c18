// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algebra/operators/history/recorded_run.h"
#include "base/text.h"

namespace holos::analyzer {
namespace {

using replay::LocalTree;
using replay::NodeId;
using trace::LocationId;
using trace::Ticks;

/// The locations that break a law.
class Breaking {
  public:
    /// `says`: of this location, with numbers; of others it is counted.
    void add(const std::string& says) {
        if (number_++ == 0) first_ = says;
    }
    void moveTo(algebra::Attributes& laws, const char* name) const {
        if (number_ == 0) return;
        std::string text = first_;
        if (number_ > 1)
            text += fmt::format("; so {} {}", number_ == 2 ? "does" : "do",
                                counted(number_ - 1, "more location"));
        laws.emplace_back(std::string(algebra::kBrokenLawAttribute) + name, text);
    }

  private:
    std::uint64_t number_ = 0;
    std::string first_;
};

std::string nameOf(const trace::Definitions& definitions, LocationId location) {
    const trace::Location& one = definitions[location];
    return one.name + " of " + definitions[one.process].name;
}

std::string seconds(const trace::Definitions& definitions, Ticks ticks) {
    return fmt::format("{:.6g} s", definitions.seconds(ticks));
}

/// Of all call paths; without those below TASKS where what they take is booked once more where they ran.
Ticks timeOf(const LocalTree& tree, bool tasksAreBookedTwice) {
    Ticks time = 0;
    std::vector<char> belowTasks(tree.size(), 0);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const LocalTree::Node& node = tree[NodeId(i)];
        const std::size_t parent = node.parent.index();
        const bool isBelow =
            i != parent && (belowTasks[parent] != 0 || tree[node.parent].region == trace::kTasksRegion);
        belowTasks[i] = isBelow ? 1 : 0;
        if (!isBelow || !tasksAreBookedTwice) time += node.exclusive;
    }
    return time;
}

}  // namespace

algebra::Attributes brokenLaws(const replay::ReplayedCalls& calls, const replay::ReplayedTrace& trace) {
    const trace::Definitions& definitions = calls.definitions;
    const auto length =
        static_cast<Ticks>(std::min<std::uint64_t>(definitions.clock.length, replay::EventTimes::kLatest));
    Breaking span;
    Breaking time;
    for (std::size_t i = 0; i < calls.locations.size(); ++i) {
        const LocationId location(i);
        const replay::LocationTrace& records = trace[location];
        if (calls[location].events == 0) continue;
        if (length > 0 && (records.begin < 0 || records.end > length))
            span.add(fmt::format("{} has events from {} to {}, but the run is from 0 s to {}",
                                 nameOf(definitions, location), seconds(definitions, records.begin),
                                 seconds(definitions, records.end), seconds(definitions, length)));
        const Ticks booked = timeOf(calls[location].tree, definitions.tasksAreBookedTwice());
        if (booked != records.end - records.begin)
            time.add(
                fmt::format("the call paths of {} take {}, but from its first event to its last one are {}",
                            nameOf(definitions, location), seconds(definitions, booked),
                            seconds(definitions, records.end - records.begin)));
    }
    algebra::Attributes laws;
    span.moveTo(laws, "span of locations");
    time.moveTo(laws, "time of locations");
    return laws;
}

}  // namespace holos::analyzer
