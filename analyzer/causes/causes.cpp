// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/causes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/causes/blame_reader.h"
#include "analyzer/causes/blames.h"
#include "analyzer/causes/cause_values.h"
#include "analyzer/causes/costs.h"
#include "analyzer/causes/critical_path.h"
#include "analyzer/causes/interval_sums.h"
#include "analyzer/causes/point_sources.h"
#include "analyzer/causes/profiles.h"
#include "analyzer/patterns/list.h"
#include "analyzer/patterns/started_threads.h"

namespace holos::analyzer::causes {
namespace {

/// By location: threads beside the first one of their process that sleep nearly always, such as one that
/// writes messages of others to a file. They need no processor, and whoever signals them is not late. Those
/// that are started at one place are judged together.
std::vector<char> threadsThatServe(const replay::ReplayedTrace& trace, const paths::MergedTree& merged,
                                   const PathProfile& times) {
    constexpr double kNearlyAlways = 0.95;
    constexpr trace::TimeClass kSleep[] = {trace::TimeClass::SystemWaiting,
                                           trace::TimeClass::PthreadCondition,
                                           trace::TimeClass::PthreadSemaphore};
    std::vector<char> isSleep, serve(times.size(), 0);
    for (const algebra::CallPathId path : merged.tree.ids()) {
        const trace::RegionClass& region = merged.classes[merged.tree[path].region.index()];
        isSleep.push_back(
            std::ranges::any_of(kSleep, [&](trace::TimeClass sleep) { return region.has(sleep); }) ? 1 : 0);
    }
    struct Sleep {
        double asleep = 0;
        double all = 0;
    };
    const std::vector<std::uint32_t> places = patterns::placesOfStart(trace);
    std::map<std::uint32_t, Sleep> pools;
    std::vector<Sleep> alone(times.size());
    const auto sleepOf = [&](trace::LocationId thread) -> Sleep& {
        const std::uint32_t place = places[thread.index()];
        return place == kNone ? alone[thread.index()] : pools[place];
    };
    const auto forOthers = [&](auto&& visit) {
        for (const trace::Process& process : trace.definitions.processes)
            for (const trace::LocationId thread : process.threads)
                if (thread != process.threads.front()) visit(thread);
    };
    forOthers([&](trace::LocationId thread) {
        Sleep& sleep = sleepOf(thread);
        const std::vector<Ticks>& ofThread = times[thread.index()];
        for (std::size_t path = 0; path < ofThread.size(); ++path) {
            sleep.all += static_cast<double>(ofThread[path]);
            if (isSleep[path] != 0) sleep.asleep += static_cast<double>(ofThread[path]);
        }
    });
    forOthers([&](trace::LocationId thread) {
        const Sleep& sleep = sleepOf(thread);
        serve[thread.index()] = sleep.asleep > kNearlyAlways * sleep.all ? 1 : 0;
    });
    return serve;
}

/// Compares one location with those that blame it, and books what it costs them directly.
class DelayMeter {
  public:
    DelayMeter(const Points& points, const Profiles& profiles, const ManyIntervals& sums,
               const std::vector<char>& serve, std::uint32_t location, LocationCauses& causes)
        : points_(points),
          profiles_(profiles),
          sums_(sums),
          serve_(serve),
          location_(location),
          causes_(causes),
          causer_(profiles.paths()),
          waiter_(profiles.paths()),
          waits_(profiles.paths()) {}

    void measure(LocationBlames& all) {
        BlameReader reader(points_, location_, all);
        for (std::uint32_t point = reader.next(0); point != kNone; point = reader.next(point + 1)) {
            const std::span<const Blame> blames = reader.at(point);
            findWaiters(blames);
            for (std::size_t i = 0; i < blames.size(); ++i) {
                if (i != 0) all.delays.nextBlame();
                Blame measured = blames[i];
                measured.isOfServant = measured.kind == Kind::PthreadCondition &&
                                       measured.waiter.location != kNone &&
                                       serve_[measured.waiter.location] != 0;
                if (measured.waiter.location != kNone || measured.idleThreads != 0)
                    compare(measured, waiters_[i], all.delays);
                if (!measured.isOfTeam()) all.kept[kept_++] = measured;
            }
            all.delays.endPoint();
        }
    }

  private:
    /// What a location did between two of its points.
    struct Interval {
        std::uint32_t location = kNone;
        std::uint32_t from = kNone;
        std::uint32_t to = 0;
        PointList::Start first;  ///< its slice is that in which the interval begins
        std::uint32_t endSlice = 0;
        PackedSlices::Reader slices;
    };

    /// The waiters are at as many places in memory: step by step for all of them, so that the processor
    /// fetches the next ones meanwhile.
    void findWaiters(std::span<const Blame> blames) {
        waiters_.clear();
        for (const Blame& blame : blames) waiters_.push_back(intervalOf(blame.waiter));
        for (Interval& waiter : waiters_)
            if (waiter.location != kNone) waiter.slices = profiles_.from(waiter.location, waiter.first.slice);
    }

    Interval intervalOf(PointRef waiter) const {
        if (waiter.location == kNone) return {};
        const PointList& list = points_.byLocation[waiter.location];
        const std::uint32_t from = list.from(waiter.index);
        return {waiter.location,
                from,
                waiter.index,
                from == kNone ? PointList::Start() : list.start(from),
                list.slice(waiter.index),
                {}};
    }

    void compare(Blame& blame, const Interval& waiter, DelayList& delays) {
        if (blame.point != own_.to || blame.firstSlice != own_.first.slice || blame.from != own_.from)
            own(blame);
        blame.waits = ownWaits_;
        waiter_.clear();
        if (waiter.location != kNone && sums_[waiter.location] != nullptr)
            sumOfCausersPaths(waiter, *sums_[waiter.location]);
        else if (waiter.location != kNone)
            correctedProfile(waiter, true, waiter_);
        delays_.clear();
        for (const std::uint32_t path : causer_.touched()) {
            const Ticks delay = causer_[path] - waiter_[path];
            if (causer_[path] <= 0 || delay <= 0) continue;
            delays_.push_back({path, delay});
            blame.delay += delay;
        }
        delays.add(delays_);
        if (!blame.isOfServant) causes_.addAll(shortTerm(blame.kind), delays_, blame.scale());
    }

    void own(const Blame& blame) {
        const PointList& list = points_.byLocation[location_];
        const bool isEnd = blame.point == list.size();
        own_ = {location_,
                blame.from,
                blame.point,
                blame.from == kNone ? PointList::Start() : list.start(blame.from),
                isEnd ? profiles_.slices(location_) : list.slice(blame.point),
                profiles_.from(location_, blame.firstSlice)};
        own_.first.slice = blame.firstSlice;
        ownWaits_ = correctedProfile(own_, blame.idleThreads == 0, causer_);
    }

    /// Without the waits in the interval, and with only the completion of its first point. Returns the sum of
    /// the waits.
    Ticks correctedProfile(const Interval& interval, bool withoutFirst, PathSum& profile) {
        const PointList& list = points_.byLocation[interval.location];
        profile.clear();
        waits_.clear();
        PackedSlices::Reader slices = interval.slices;
        for (std::uint32_t slice = interval.first.slice; slice < interval.endSlice; ++slice)
            slices.visit([&](std::uint32_t path, Ticks ticks) { profile.add(path, ticks); });
        Ticks sum = 0;
        list.visitWaits(interval.from + 1, interval.to, [&](std::uint32_t, Ticks wait, std::uint32_t path) {
            sum += wait;
            waits_.add(path, wait);
        });
        profile.lessen(waits_);
        if (withoutFirst) leaveOut(interval.first, profile);
        return sum;
    }

    /// What `correctedProfile` has of the waiter, for those call paths only in which the causer was.
    void sumOfCausersPaths(const Interval& waiter, const IntervalSums& sums) {
        for (const std::uint32_t path : causer_.touched()) {
            const Ticks time = sums.time(path, waiter.first.slice, waiter.endSlice);
            const Ticks waits = sums.waits(path, waiter.from + 1, waiter.to);
            waiter_.set(path, std::max<Ticks>(0, time - waits));
        }
        leaveOut(waiter.first, waiter_);
    }

    static void leaveOut(const PointList::Start& first, PathSum& profile) {
        if (first.path == kNone) return;
        profile.set(first.path, std::max<Ticks>(0, profile[first.path] - first.before));
    }

    const Points& points_;
    const Profiles& profiles_;
    const ManyIntervals& sums_;
    const std::vector<char>& serve_;  ///< by location
    std::uint32_t location_;
    LocationCauses& causes_;
    PathSum causer_, waiter_, waits_;
    Interval own_{kNone, kNone, kNone, {}, 0, {}};  ///< of the location, the last one
    Ticks ownWaits_ = 0;
    std::vector<Interval> waiters_;  ///< of the blames at hand
    std::vector<PathTicks> delays_;  ///< of the blame at hand
    std::size_t kept_ = 0;           ///< blames that are kept, so far
};

ManyIntervals manyIntervals(const Points& points, const Profiles& profiles,
                            const ByLocation<LocationBlames>& blames) {
    constexpr std::size_t kMany = 64;
    std::vector<std::size_t> joined(blames.size(), 0);
    for (std::size_t i = 0; i < blames.size(); ++i)
        for (const Blame& blame : blames[i].kept)
            if (blame.kind == Kind::ThreadEnd && blame.waiter.location != kNone)
                ++joined[blame.waiter.location];
    ManyIntervals sums(blames.size());
    for (std::uint32_t i = 0; i < sums.size(); ++i)
        if (joined[i] >= kMany)
            sums[i] = std::make_unique<const IntervalSums>(profiles, points.byLocation[i], i);
    return sums;
}

/// Compares causers with waiters: fills the blames' delays, and books the costs of the waits that they end.
void measureDelays(const Points& points, const Profiles& profiles, const std::vector<char>& serve,
                   ByLocation<LocationBlames>& blames, workers::Workers& workers,
                   std::vector<LocationCauses>& causes) {
    const ManyIntervals sums = manyIntervals(points, profiles, blames);
    workers.forEach(blames.size(), [&](std::size_t i) {
        if (!blames[i].kept.empty() || !blames[i].serial.empty() || points.byLocation[i].hasTeams())
            DelayMeter(points, profiles, sums, serve, static_cast<std::uint32_t>(i), causes[i])
                .measure(blames.own(i));
    });
}

}  // namespace

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
    ByLocation<LocationBlames> blames =
        findBlames(trace, points, workers, rules,
                   rules.asScalasca || patterns::countsIdleThreads(merged.classes), memory);
    PathProfile times = profiles.takeTimes();
    const std::vector<char> serve =
        rules.asScalasca ? std::vector<char>(times.size(), 0) : threadsThatServe(trace, merged, times);
    forgetThreads(trace, memory);
    measureDelays(points, profiles, serve, blames, workers, causes);
    bookCosts(
        points, blames, propagateCosts(points, blames, rules, memory), rules, workers, causes,
        course != nullptr ? std::optional(DelayTimes{trace, profiles, course->tellDelay}) : std::nullopt);

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
