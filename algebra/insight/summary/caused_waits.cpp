// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/caused_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/growth.h"
#include "algebra/insight/summary/words.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/text.h"

namespace holos::algebra {

CausedWaits::CausedWaits(const LatePlace& place) : place_(place) {
    /// More than this part has to be waiting for the place itself for that to be known.
    constexpr double kKnown = 0.1;
    const Delays& delays = place.delays();
    std::vector<double> direct;
    for (std::size_t rule = 0; rule < delays.byRule.size(); ++rule) {
        shares_.push_back(place.sumOf(delays.byRule[rule]));
        direct.push_back(shares_.back() - place.sumOf(delays.handedOn[rule]));
    }
    const auto most = std::ranges::max_element(direct);
    const auto mostOfAll = std::ranges::max_element(shares_);
    const bool isKnown = *most > kKnown * place.cost();
    rule_ = static_cast<std::size_t>(isKnown ? most - direct.begin() : mostOfAll - shares_.begin());
    if (!isProblem("join")) return;
    for (const char* const kind : {"wake", "signal"}) {
        const std::size_t before = positionOfRule(kind);
        if (direct[before] >= kMainPart * direct[rule_]) rule_ = before;
    }
}

bool CausedWaits::isProblem(const char* kind) const {
    return rule().problem != nullptr && rule().problem == std::string_view(kind);
}

bool CausedWaits::areOfThreads() const {
    if (rule().among == WaitRule::Among::Threads) return true;
    const std::vector<double> waits = measures().perLocation(rule().waits);
    double first = 0, all = 0;
    for (const CountedProcess& process : measures().processes()) {
        first += waits[process.threads.front().index()];
        for (const LocationId thread : process.threads) all += waits[thread.index()];
    }
    return all > 0 && first < kMainPart * all;
}

bool CausedWaits::mayBeForRequests(const std::vector<LocationId>& late) const {
    if (position() != 0) return false;  // the first rule is that of messages
    const std::vector<double> waits = measures().perLocation(rule().waits),
                              inTeams = measures().perLocation({"omp_time"});
    double started = 0, all = 0;
    for (const CountedProcess& process : measures().processes())
        for (const LocationId thread : process.threads) {
            if (std::ranges::count(late, thread) > 0) continue;
            const double waited = waits[thread.index()];
            all += waited;
            if (thread != process.threads.front() && !(inTeams[thread.index()] > 0)) started += waited;
        }
    return all > 0 && started > kMainPart * all;
}

std::size_t CausedWaits::waitersBeside(const std::vector<LocationId>& late, double least) const {
    MetricNames names;
    for (std::size_t rule = 0; rule < shares_.size(); ++rule)
        if (shares_[rule] > 0)
            names.insert(names.end(), waitRules()[rule].waits.begin(), waitRules()[rule].waits.end());
    const std::vector<double> waits = measures().perLocation(names);
    return static_cast<std::size_t>(std::ranges::count_if(measures().threads(), [&](LocationId thread) {
        return std::ranges::count(late, thread) == 0 && waits[thread.index()] >= least;
    }));
}

bool CausedWaits::haveTimeouts() const {
    if (measures().find("pthread_condition_timeout")) return false;
    constexpr auto kUntil = std::to_array<std::string_view>(
        {"pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_timedwait"});
    const std::vector<double> waits = measures().perPath(rule().waits);
    double until = 0, all = 0;
    for (const CallPathId path : place_.tree().ids()) {
        all += waits[path.index()];
        const std::string_view name = measures().experiment().regionOf(path).name;
        if (std::ranges::find(kUntil, name) != kUntil.end()) until += waits[path.index()];
    }
    return until > kMainPart * all;
}

std::optional<double> CausedWaits::growth(bool isStarved) const {
    constexpr double kMuch = 0.1;
    const double all = measures().total(rule().waits);
    const bool isDisturbed = isStarved || place_.delays().ofShortage > kMuch * all;
    if (isDisturbed || ofRule() < kMainPart * all) return std::nullopt;
    return growthOf(measures(), rule().waits);
}

/// Where and when other kinds of it are is not what the rule tells.
double CausedWaits::partOfRule() const {
    const double all = std::accumulate(shares_.begin(), shares_.end(), 0.0);
    return all > 0 ? ofRule() / all : 0;
}

std::string CausedWaits::phaseText() const {
    constexpr double kStandsForAll = 0.8;
    if (ofRule() < kMainPart * measures().total(rule().waits) || partOfRule() < kStandsForAll) return {};
    const auto phase = waitingPhaseOf(measures(), rule().waits);
    if (!phase) return {};
    return fmt::format("; {} of the waiting begins between {:.0f} % and {:.0f} % of the run's time",
                       percentText(100 * phase->share), 100 * phase->begin, 100 * phase->end);
}

std::string CausedWaits::text(Problem& problem) const {
    const Experiment& experiment = measures().experiment();
    const auto metric = measures().largest(rule().waits);
    if (!metric) return {};
    const std::string& name = experiment.metrics[*metric].uniqueName;
    const std::vector<double> values = measures().perPath({name.c_str()});
    const auto most = std::ranges::max_element(values);
    if (most == values.end() || !(*most > 0)) return {};
    const CallPathId path(static_cast<std::size_t>(most - values.begin()));
    addEvidence(measures(), {name.c_str()}, "waiting, where there is most", path, kAll, problem);
    if (!place_.delays().areCauses)
        return isOwnAnalysis(experiment) ? "holos analyze without --no-causes finds who is to blame" : "";
    const std::string text =
        fmt::format("{} of the waiting for them is {}", percentText(100 * partOfRule()), rule().name);
    if (isMostAt(path, rule_)) return text + ", most in " + pathText(experiment, path) + otherKindText();
    return isProblem("signal")
               ? text + "; most such waiting, for whichever thread, is in " + pathText(experiment, path)
               : text + otherKindText();
}

/// Others may wait elsewhere in another way, such as processes that do other work.
std::string CausedWaits::otherKindText() const {
    constexpr double kMuch = 0.25;
    std::size_t other = rule_ == 0 ? 1 : 0;
    for (std::size_t at = 0; at < shares_.size(); ++at)
        if (at != rule_ && shares_[at] > shares_[other]) other = at;
    const double part = shares_[other] / std::accumulate(shares_.begin(), shares_.end(), 0.0);
    const std::vector<double> waits = measures().perPath(waitRules()[other].waits);
    const auto most = std::ranges::max_element(waits);
    if (part < kMuch || most == waits.end()) return {};
    const CallPathId path(static_cast<std::size_t>(most - waits.begin()));
    const std::string text = fmt::format("; {} is {}", percentText(100 * part), waitRules()[other].name);
    return isMostAt(path, other) ? text + ", most in " + pathText(measures().experiment(), path) : text;
}

/// Whether those who are late make others wait there more than anywhere else, even if all waiting that
/// somebody else causes is there, too.
bool CausedWaits::isMostAt(CallPathId path, std::size_t rule) const {
    const MetricNames& names = waitRules()[rule].waits;
    const double all = measures().total(names);
    if (shares_[rule] < kMainPart * all) return false;
    const std::vector<double> waits = measures().perPath(names);
    const double here = waits[path.index()] - std::max(0.0, all - shares_[rule]);
    for (std::size_t other = 0; other < waits.size(); ++other)
        if (other != path.index() && waits[other] > here) return false;
    return true;
}

const WaitRule& mostlyWaitedFor(const Measures& measures, const Delays& delays, const Place& place) {
    std::vector<double> shares;
    for (const std::vector<double>& values : delays.byRule) {
        double sum = 0;
        for (const CallPathId path : measures.experiment().callTree.subtree(place.path))
            sum += values[path.index()];
        shares.push_back(sum);
    }
    return waitRules()[static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin())];
}

void joinMeetings(const Measures& measures, const Delays& delays, std::vector<Place>& places) {
    const Experiment& experiment = measures.experiment();
    // Where threads meet, it does not matter where they come from, each by its own call path.
    const auto isOfMeetings = [&](const Place& place) {
        return std::ranges::count(mostlyWaitedFor(measures, delays, place).waits,
                                  std::string_view("pthread_barrier_wait")) > 0;
    };
    std::vector<Place> joined;
    for (Place& place : places) {
        const auto same =
            !isOfMeetings(place) ? joined.end() : std::ranges::find_if(joined, [&](const Place& other) {
                return isOfMeetings(other) &&
                       (&experiment.regionOf(place.path) == &experiment.regionOf(other.path) ||
                        experiment.callTree.isWithin(place.path, other.path) ||
                        experiment.callTree.isWithin(other.path, place.path));
            });
        if (same == joined.end()) {
            joined.push_back(std::move(place));
            continue;
        }
        same->value += place.value;
        same->also.push_back(place.path);
    }
    places = std::move(joined);
    std::ranges::stable_sort(places, std::ranges::greater(), &Place::value);
}

}  // namespace holos::algebra
