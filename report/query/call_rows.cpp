// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/call_rows.h"

#include <algorithm>
#include <cmath>

namespace holos::query {

std::vector<analyzer::trace::LocationId> locationsFor(const analyzer::trace::Definitions& definitions,
                                                      const Question& question, std::size_t locationColumn,
                                                      std::size_t processColumn, std::size_t threadColumn) {
    std::vector<analyzer::trace::LocationId> wanted;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
        const analyzer::trace::Location& one = definitions.locations[i];
        if (question.mayBe(locationColumn, static_cast<double>(i)) &&
            question.mayBe(processColumn, static_cast<double>(one.process.index())) &&
            question.mayBe(threadColumn, static_cast<double>(one.rank)))
            wanted.emplace_back(i);
    }
    return wanted;
}

namespace call {

namespace {

Ticks ticksOf(const trace::Definitions& definitions, double seconds, double slack) {
    const double ticks = seconds * static_cast<double>(definitions.clock.ticksPerSecond) + slack;
    constexpr double kFar = 9e18;
    return ticks >= kFar    ? std::numeric_limits<Ticks>::max()
           : ticks <= -kFar ? std::numeric_limits<Ticks>::min()
                            : static_cast<Ticks>(ticks);
}

/// Leaves the times of the iterations that are asked for.
void limitToIterations(Wanted& wanted, const Question& question, const analyzer::Iterations& all) {
    const double first = question.least(kIteration), last = question.most(kIteration);
    if (std::isinf(first) && std::isinf(last)) return;
    const auto count = static_cast<double>(all.begins.size());
    const double from = std::max(1.0, std::ceil(first)), to = std::min(count, std::floor(last));
    if (from > to) {
        wanted.toStart = std::numeric_limits<Ticks>::min();
        return;
    }
    wanted.fromStart = std::max(wanted.fromStart, all.begins[static_cast<std::size_t>(from) - 1]);
    wanted.toStart =
        std::min(wanted.toStart, to == count ? all.end : all.begins[static_cast<std::size_t>(to)]);
}

}  // namespace

bool Wanted::isNone() const {
    return fromStart > toStart || (!regions.empty() && std::ranges::find(regions, 1) == regions.end());
}

Wanted wantedBy(const trace::Definitions& definitions, const Question& question,
                const analyzer::Iterations* iterations) {
    Wanted wanted;  // a tick more on each side, for roundings; SQLite compares exactly
    wanted.fromStart = ticksOf(definitions, question.least(kStart), -2);
    wanted.toStart = ticksOf(definitions, question.most(kStart), 2);
    wanted.toEnd = ticksOf(definitions, question.most(kEnd), 2);
    wanted.leastDuration = question.least(kDuration);
    if (const std::string* const name = question.text(kRegion))
        for (const trace::Region& region : definitions.regions)
            wanted.regions.push_back(region.name == *name ? 1 : 0);
    if (iterations != nullptr) limitToIterations(wanted, question, *iterations);
    return wanted;
}

Value iterationAt(const analyzer::Iterations* iterations, Ticks time) {
    const std::size_t number = iterations == nullptr ? 0 : iterations->at(time);
    return number == 0 ? Value() : Value(static_cast<std::int64_t>(number));
}

Ticks OwnTimes::ownOf(const analyzer::replay::LeftCall& call) {
    Ticks within = 0;
    for (; !ended_.empty() && ended_.back().begin >= call.enter; ended_.pop_back())
        within += ended_.back().passed;
    const Ticks passed = call.leave - call.enter;
    // Neighbours that the next call around will take together count as one.
    const bool isNeighbour =
        !ended_.empty() && !call.around.empty() && ended_.back().begin >= call.around.back().enter;
    if (isNeighbour || ended_.size() > kMost)
        ended_.back().passed += passed;
    else
        ended_.push_back({call.enter, passed});
    return passed - within;
}

}  // namespace call

}  // namespace holos::query
