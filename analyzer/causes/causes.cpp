// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/causes.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/causes/cause_values.h"
#include "analyzer/causes/costs.h"
#include "analyzer/causes/critical_path.h"
#include "analyzer/causes/delays.h"
#include "analyzer/causes/point_sources.h"
#include "analyzer/causes/profiles.h"

namespace holos::analyzer::causes {

/// What samples say of the time between events (`replay::TimeSharing`), by call path. Causes are found by
/// what is known exactly, and then handed on to the functions that samples met: the sums stay the same.
///
///     solve of location 0   ██ smooth ██│██ norm ███████│      delay costs of solve: norm has them, because
///     solve of the others   ██ smooth ██│██ norm █│            only there location 0 exceeds the average
/// Thread safety: safe to read.
class SharedPaths {
  public:
    /// `times`: what is booked, by location and call path.
    SharedPaths(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                const PathProfile& times);

    /// True where nothing was shared.
    bool empty(std::size_t location) const { return parts_[location].empty(); }
    /// Times of any kind, by call path, are shared as the location's time is.
    void share(std::size_t location, std::vector<Ticks>& times) const;
    /// Delay costs go to the functions in which the location takes more time than the average of those that
    /// share the same call path; where there is none, they are shared as the time is.
    void share(std::size_t location, LocationCauses& causes) const;

  private:
    struct Part {
        std::uint32_t from;
        std::uint32_t to;
        Ticks ticks;
        friend auto operator<=>(const Part&, const Part&) = default;
    };
    using Parts = std::span<const Part>;  ///< of one call path, together what is booked there

    static std::uint64_t key(const Part& part) { return std::uint64_t{part.from} << 32U | part.to; }
    Parts partsFrom(std::size_t location, std::uint32_t path) const;
    /// How much of a call path's costs each part is to blame for; the sum is 1.
    std::vector<double> blame(Parts parts) const;

    std::vector<std::vector<Part>> parts_;  ///< by location; ascending, and what stays is a part, too
    std::unordered_map<std::uint64_t, Ticks> sums_;               ///< over all locations
    std::unordered_map<std::uint32_t, std::uint32_t> locations_;  ///< by call path: how many share it
};

SharedPaths::SharedPaths(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                         const PathProfile& times)
    : parts_(calls.locations.size()) {
    for (std::uint32_t location = 0; location < parts_.size(); ++location) {
        std::vector<Part>& parts = parts_[location];
        for (const replay::SharedTime& shared : calls.locations[location].shared) {
            const std::uint32_t from = pathOf(merged, location, shared.from);
            const std::uint32_t to = pathOf(merged, location, shared.to);
            if (from != kNone && to != kNone && shared.ticks > 0) parts.push_back({from, to, shared.ticks});
        }
        std::ranges::sort(parts);
        std::vector<Part> rests;
        for (const Part& part : parts) {
            if (rests.empty() || rests.back().from != part.from)
                rests.push_back({part.from, part.from, times[location][part.from]});
            rests.back().ticks = std::max<Ticks>(0, rests.back().ticks - part.ticks);
        }
        for (const Part& rest : rests) ++locations_[rest.from];
        parts.insert(parts.end(), rests.begin(), rests.end());
        std::ranges::sort(parts);
        for (const Part& part : parts) sums_[key(part)] += part.ticks;
    }
}

SharedPaths::Parts SharedPaths::partsFrom(std::size_t location, std::uint32_t path) const {
    const auto& parts = parts_[location];
    return {std::ranges::lower_bound(parts, path, {}, &Part::from),
            std::ranges::upper_bound(parts, path, {}, &Part::from)};
}

void SharedPaths::share(std::size_t location, std::vector<Ticks>& times) const {
    if (empty(location) || times.empty()) return;
    const std::vector<Ticks> booked = times;
    for (auto first = parts_[location].begin(), last = first; first != parts_[location].end(); first = last) {
        const Parts parts = partsFrom(location, first->from);
        last = first + static_cast<std::ptrdiff_t>(parts.size());
        double all = 0;
        for (const Part& part : parts) all += static_cast<double>(part.ticks);
        for (const Part& part : parts) {
            if (part.to == part.from) continue;
            const auto moved = static_cast<Ticks>(static_cast<double>(booked[part.from]) *
                                                  (static_cast<double>(part.ticks) / all));
            times[part.from] -= moved;
            times[part.to] += moved;
        }
    }
}

std::vector<double> SharedPaths::blame(Parts parts) const {
    const double others = locations_.at(parts.front().from);
    std::vector<double> shares;
    double all = 0;
    for (const Part& part : parts) {
        const double average = static_cast<double>(sums_.at(key(part))) / others;
        shares.push_back(std::max(0.0, static_cast<double>(part.ticks) - average));
        all += shares.back();
    }
    if (all <= 0)
        for (std::size_t i = 0; i < parts.size(); ++i) all += shares[i] = static_cast<double>(parts[i].ticks);
    for (double& share : shares) share /= all;
    return shares;
}

void SharedPaths::share(std::size_t location, LocationCauses& causes) const {
    causes.settle();
    if (empty(location)) return;
    LocationCauses result;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Cause::Count); ++i)
        for (const auto& [path, ticks] : causes.values(static_cast<Cause>(i))) {
            const Parts parts = partsFrom(location, path);
            if (parts.empty()) {
                result.add(static_cast<Cause>(i), path, ticks);
                continue;
            }
            const std::vector<double> shares = blame(parts);
            for (std::size_t part = 0; part < parts.size(); ++part)
                result.add(static_cast<Cause>(i), parts[part].to, ticks * shares[part]);
        }
    causes = std::move(result);
}

namespace {

/// Points and blames say all of them that causes need.
void forgetThreads(replay::ReplayedTrace& trace, Memory memory) {
    trace.locations.visitOwn(
        [&](replay::LocationTrace& location) { location.threads = replay::ThreadRecords(memory); });
}

}  // namespace

std::vector<LocationCauses> findCauses(replay::ReplayedTrace trace, matching::Matches matches,
                                       patterns::Waits waits, const replay::ReplayedCalls& calls,
                                       const paths::MergedTree& merged, workers::Workers& workers,
                                       Rules rules, Memory memory, CauseCourse* course) {
    std::vector<LocationCauses> causes(trace.locations.size());
    Profiles profiles(trace, waits, calls, matches.teams, merged, workers, rules, memory);
    Points points = findPoints(trace, std::move(matches), std::move(waits), merged, workers, rules, memory);
    ByLocation<LocationBlames> blames = findBlames(trace, points, workers, rules, memory);
    forgetThreads(trace, memory);
    measureDelays(points, profiles, blames, workers);
    bookCosts(
        points, blames, propagateCosts(points, blames, rules, memory), rules, workers, causes,
        course != nullptr ? std::optional(DelayTimes{trace, profiles, course->tellDelay}) : std::nullopt);

    PathProfile times = profiles.takeTimes();
    const SharedPaths shared(calls, merged, times);
    PathProfile critical = followCriticalPath(trace, points, profiles, rules, workers,
                                              course != nullptr ? &course->path : nullptr);
    PathProfile active = activeTimes(points, std::move(times), workers);
    workers.forEach(causes.size(), [&](std::size_t i) {
        shared.share(i, causes[i]);
        shared.share(i, critical[i]);
        shared.share(i, active[i]);
    });
    std::vector<char> isThread;
    for (const trace::Location& location : trace.definitions.locations)
        isThread.push_back(location.kind == trace::Location::Kind::Thread ? 1 : 0);
    bookImpact(critical, active, profiles.paths(), isThread, rules, workers, causes);
    workers.forEach(causes.size(), [&](std::size_t i) { causes[i].settle(); });
    return causes;
}

}  // namespace holos::analyzer::causes
