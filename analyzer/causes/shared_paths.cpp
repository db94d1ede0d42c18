// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/shared_paths.h"

#include <algorithm>
#include <utility>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

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

}  // namespace holos::analyzer::causes
