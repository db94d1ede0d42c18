// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/late_blame.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

#include "algebra/insight/summary/rules.h"

namespace holos::algebra {

namespace {

/// Calls of one kind, in which others wait.
struct KindOfWait {
    enum class Who : std::uint8_t {
        Receivers,  ///< of messages, each for its partner
        All,        ///< but the last one, or the one that is waited for
        One         ///< for all others, of which the last one is blamed alone
    };
    const char* delays;
    MetricNames waits;
    Who who;
};

const std::vector<KindOfWait>& kindsOfWait() {
    using Who = KindOfWait::Who;
    static const std::vector<KindOfWait> kinds{
        {"delay_latesender_aggregate", {"mpi_latesender", "mpi_latesender_polling"}, Who::Receivers},
        {"delay_latereceiver_aggregate", {"mpi_latereceiver", "mpi_latereceiver_polling"}, Who::Receivers},
        {"delay_barrier_aggregate", {"mpi_barrier_wait", "mpi_barrier_polling"}, Who::All},
        {"delay_n2n_aggregate", {"mpi_wait_nxn", "mpi_collective_polling"}, Who::All},
        {"delay_12n_aggregate", {"mpi_latebroadcast"}, Who::All},
        {"delay_n21_aggregate", {"mpi_earlyreduce"}, Who::One},
        {"delay_scan_aggregate", {"mpi_earlyscan"}, Who::One},
        {"delay_comm_aggregate", {"mpi_mgmt_comm_wait"}, Who::All},
        {"delay_io_aggregate", {"mpi_mgmt_file_wait", "mpi_io_collective_wait"}, Who::All},
        {"delay_ompbarrier_aggregate", {"omp_ebarrier_wait", "omp_ibarrier_wait"}, Who::All},
        {"delay_pthread_barrier_aggregate", {"pthread_barrier_wait"}, Who::All}};
    return kinds;
}

/// Of the place, without others within it.
std::vector<CallPathId> ownPaths(const LatePlace& place) {
    std::vector<CallPathId> paths = place.paths();
    std::erase_if(paths, [&](CallPathId path) { return place.isOfAnother(path); });
    return paths;
}

/// Seconds that others wait for each of the workers there, in calls of this kind.
std::vector<double> blamedFor(const LateWorkers& workers, const KindOfWait& kind,
                              const std::vector<CallPathId>& paths) {
    const auto& rules = waitRules();
    const auto rule = std::ranges::find_if(rules, [&](const WaitRule& one) {
        return std::ranges::count(one.delays, std::string_view(kind.delays)) > 0;
    });
    const std::vector<double> values = workers.place().blamed(static_cast<std::size_t>(rule - rules.begin()),
                                                              MetricNames{kind.delays}, paths);
    std::vector<double> sums;
    for (const Member& member : workers.members(values)) {
        double sum = 0;
        for (const LocationId location : member.locations) sum += values[location.index()];
        sums.push_back(sum);
    }
    return sums;
}

double sumOfBlame(const std::vector<double>& seconds) {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

/// The one that has nearly all of it.
std::optional<std::size_t> oneWithMost(const std::vector<double>& seconds) {
    constexpr double kNearlyAll = 0.85;
    const auto most = std::ranges::max_element(seconds);
    if (*most < kNearlyAll * sumOfBlame(seconds)) return std::nullopt;
    return static_cast<std::size_t>(most - seconds.begin());
}

/// Whether all others wait there about as long: then none of them is nearly as late as this one.
bool doOthersWait(const LateWorkers& workers, const KindOfWait& kind, std::size_t member) {
    constexpr double kAboutAsLong = 0.5;
    if (kind.who == KindOfWait::Who::Receivers) return true;
    const std::vector<double> waits = workers.measures().perPath(kind.waits);
    const auto most = std::ranges::max_element(waits);
    const std::vector<Member> all = workers.members(workers.measures().perLocation(
        kind.waits, CallPathId(static_cast<std::size_t>(most - waits.begin()))));
    if (kind.who == KindOfWait::Who::One) return all.size() == 2;
    double least = std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (at == member) continue;
        least = std::min(least, all[at].value);
        sum += all[at].value;
    }
    return least >= kAboutAsLong * sum / static_cast<double>(all.size() - 1);
}

}  // namespace

std::vector<BlamedOne> blamedIn(const LateWorkers& workers) {
    /// Of all waiting for the place: less of it is passed over.
    constexpr double kHardlyAny = 0.05;
    std::vector<BlamedOne> found;
    std::vector<double> largest;  // of the kinds of calls, for each
    const std::vector<CallPathId> paths = ownPaths(workers.place());
    for (const KindOfWait& kind : kindsOfWait()) {
        const std::vector<double> seconds = blamedFor(workers, kind, paths);
        const double all = sumOfBlame(seconds);
        if (seconds.size() < 2 || all <= kHardlyAny * workers.place().cost()) continue;
        const auto member = oneWithMost(seconds);
        if (!member || !doOthersWait(workers, kind, *member)) return {};
        auto same = std::ranges::find(found, *member, &BlamedOne::member);
        if (same == found.end()) {
            largest.push_back(0);
            same = found.insert(found.end(), BlamedOne{*member, 0, {}, false});
        }
        same->seconds += all;
        double& most = largest[static_cast<std::size_t>(same - found.begin())];
        if (all <= most) continue;
        most = all;
        same->waits = kind.waits;
        same->isOfMessages = kind.who == KindOfWait::Who::Receivers;
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &BlamedOne::seconds);
    return found;
}

double blamedBeyond(const LateWorkers& workers, std::size_t member) {
    const std::vector<CallPathId> paths = ownPaths(workers.place());
    double theirs = 0, others = 0;
    for (const KindOfWait& kind : kindsOfWait()) {
        const std::vector<double> seconds = blamedFor(workers, kind, paths);
        for (std::size_t at = 0; at < seconds.size(); ++at) (at == member ? theirs : others) += seconds[at];
    }
    const auto number = static_cast<double>(workers.workers().size());
    return number < 2 ? 0 : std::max(0.0, theirs - others / (number - 1));
}

}  // namespace holos::algebra
