// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/wait_records.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "algebra/model/call_names.h"
#include "analyzer/patterns/list.h"
#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::assemble {
namespace {

using trace::LocationId;
using trace::ProcessId;
using trace::Ticks;

struct Sum {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    Ticks lateSender = 0;
    Ticks lateReceiver = 0;
    std::uint64_t put = 0;
    std::uint64_t got = 0;

    void add(const Sum& other) {
        messages += other.messages;
        bytes += other.bytes;
        lateSender += other.lateSender;
        lateReceiver += other.lateReceiver;
        put += other.put;
        got += other.got;
    }
};
/// By sender and receiver.
using Sums = std::map<std::pair<ProcessId, ProcessId>, Sum>;

/// What the records of one location say.
Sums sumsOf(const patterns::JudgedTrace& run, LocationId location) {
    const trace::Definitions& definitions = run.trace.definitions;
    const auto& messages = run.trace[location].messages;
    const patterns::LocationWaits& waits = run.waits[location.index()];
    const matching::MessageMatches& matches = run.matches.messages;
    const auto processOf = [&](std::uint32_t peer) { return definitions[LocationId(peer)].process; };
    const ProcessId own = definitions[location].process;
    Sums sums;
    const replay::EventRange& counted = run.trace[location].counted;
    for (const replay::Send& send : messages.sends) {
        if (!counted.has(send.event)) continue;
        const auto receiver = trace::peerProcess(definitions, send.comm, location, send.receiver);
        if (receiver) sums[{own, *receiver}].add({1, send.bytes});
    }
    for (std::size_t i = 0; i < waits.receives.size(); ++i)
        if (const Ticks wait = waits.receives[i]; wait > 0)
            sums[{processOf(matches.sendOf[location.index()][i].location), own}].add({0, 0, wait});
    for (std::size_t i = 0; i < waits.completions.size(); ++i)
        if (const Ticks wait = waits.completions[i]; wait > 0) {
            const replay::RecordRef send = run.trace.sendOf(location, messages.completions[i]);
            sums[{own, processOf(matching::receiveOf(matches, send).location)}].add({0, 0, 0, wait});
        }
    for (const replay::RmaRecord& access : run.trace[location].rma) {
        if ((access.put == 0 && access.got == 0) || !counted.has(access.event)) continue;
        const auto target = trace::peerProcess(definitions, access.window, location, access.target);
        if (target && access.put > 0) sums[{own, *target}].put += access.put;
        if (target && access.got > 0) sums[{*target, own}].got += access.got;
    }
    return sums;
}

}  // namespace

std::vector<algebra::Traffic> communication(const patterns::JudgedTrace& run, workers::Workers& workers) {
    const trace::Definitions& definitions = run.trace.definitions;
    std::vector<Sums> byLocation(run.trace.locations.size());
    workers.forEach(byLocation.size(), [&](std::size_t i) { byLocation[i] = sumsOf(run, LocationId(i)); });
    Sums all;
    for (Sums& local : byLocation)
        for (const auto& [pair, sum] : std::exchange(local, {})) all[pair].add(sum);
    std::vector<algebra::Traffic> traffic;
    for (const auto& [pair, sum] : all)
        traffic.push_back({algebra::ProcessId(pair.first.index()), algebra::ProcessId(pair.second.index()),
                           static_cast<double>(sum.messages), static_cast<double>(sum.bytes),
                           definitions.seconds(sum.lateSender), definitions.seconds(sum.lateReceiver),
                           static_cast<double>(sum.put), static_cast<double>(sum.got)});
    return traffic;
}

namespace {

bool isSeverer(const Instance& a, const Instance& b) {
    return std::tuple(-a.wait, a.begin, a.location) < std::tuple(-b.wait, b.begin, b.location);
}

/// By the place of a wait state in the list of patterns.
std::map<const patterns::Metric*, std::size_t> ranks() {
    std::map<const patterns::Metric*, std::size_t> ranks;
    for (const patterns::Pattern* pattern : patterns::allPatterns())
        for (const patterns::Metric* metric : pattern->metrics) ranks.emplace(metric, ranks.size());
    return ranks;
}

/// The longest wait of each wait state and call path.
class Longest {
  public:
    void note(const Instance& instance) {
        const auto [known, isNew] = found_.try_emplace({instance.metric, instance.path}, instance);
        if (!isNew && isSeverer(instance, known->second)) known->second = instance;
    }
    void note(const Longest& others) {
        for (const auto& [key, instance] : others.found_) note(instance);
    }

    std::vector<Instance> take(std::size_t limit) const {
        std::vector<Instance> all;
        for (const auto& [key, instance] : found_) all.push_back(instance);
        const auto rankOf = ranks();
        std::ranges::stable_sort(all, [&](const Instance& a, const Instance& b) {
            if (a.metric != b.metric) return rankOf.at(a.metric) < rankOf.at(b.metric);
            return std::tuple(-a.wait, a.begin, a.location, a.path) <
                   std::tuple(-b.wait, b.begin, b.location, b.path);
        });
        std::vector<Instance> few;
        for (const Instance& instance : all) {
            const auto same = std::ranges::count(few, instance.metric, &Instance::metric);
            if (static_cast<std::size_t>(same) < limit) few.push_back(instance);
        }
        return few;
    }

  private:
    std::map<std::pair<const patterns::Metric*, algebra::CallPathId>, Instance> found_;
};

Longest longestIn(const patterns::JudgedTrace& run, const paths::MergedTree& merged, LocationId location) {
    Longest longest;
    const auto note = [&](const patterns::SingleWait& wait) {
        const auto path = merged.pathOf[location.index()][wait.node.index()];
        if (wait.wait > 0 && path)
            longest.note({&wait.metric, wait.wait, wait.begin, location, *path, wait.awaited});
    };
    patterns::visitAllWaits(run, location, note);
    return longest;
}

std::string nameOf(const trace::Definitions& definitions, LocationId id) {
    const trace::Location& location = definitions[id];
    const trace::Process& process = definitions[location.process];
    const std::string rank = std::to_string(location.process.index());
    return (process.name.empty() ? "Process " + rank : process.name) + " / " +
           (location.name.empty() ? "Thread " + std::to_string(location.rank) : location.name);
}

/// As `algebra::callPathText` has it.
std::string nameOf(const trace::Definitions& definitions, const paths::MergedTree& merged,
                   algebra::CallPathId path) {
    std::string text;
    for (std::optional<algebra::CallPathId> at = path; at; at = merged.tree.parent(*at)) {
        const algebra::Region& region = merged.regions[merged.tree[*at].region.index()];
        const std::string name =
            algebra::callText(region.name, paths::callPathOf(merged.tree[*at], definitions));
        text.insert(0, at == path ? name : name + '/');
    }
    return text;
}

}  // namespace

std::vector<Instance> severestInstances(const patterns::JudgedTrace& run, const paths::MergedTree& merged,
                                        workers::Workers& workers, std::size_t limit) {
    std::vector<Longest> byLocation(run.trace.locations.size());
    workers.forEach(byLocation.size(),
                    [&](std::size_t i) { byLocation[i] = longestIn(run, merged, LocationId(i)); });
    Longest all;
    for (const Longest& local : byLocation) all.note(local);
    return all.take(limit);
}

std::string instancesText(const std::vector<Instance>& instances, const trace::Definitions& definitions,
                          const paths::MergedTree& merged) {
    std::string text = "metric\twait\tbegin\tlocation\tawaited\tcall_path\n";
    for (const Instance& instance : instances) {
        text += instance.metric->uniqueName;
        for (const Ticks ticks : {instance.wait, instance.begin})
            text += '\t' + std::to_string(definitions.seconds(ticks));
        text += '\t' + nameOf(definitions, instance.location) + '\t';
        if (instance.awaited) text += nameOf(definitions, *instance.awaited);
        text += '\t' + nameOf(definitions, merged, instance.path) + '\n';
    }
    return text;
}

namespace {

using replay::Period;

/// More would make the result large, and are of no use.
constexpr std::size_t kMost = 200'000;

/// By unique name; in ticks, so that sums do not depend on their order.
using Waits = std::map<std::string, std::vector<Ticks>>;

/// The periods of each process, as its first thread has them; null where it has no events.
std::vector<const std::vector<Period>*> periodsOfProcesses(const replay::ReplayedCalls& calls) {
    std::vector<const std::vector<Period>*> periods(calls.definitions.processes.size(), nullptr);
    for (std::size_t i = 0; i < periods.size(); ++i) {
        const auto& threads = calls.definitions.processes[i].threads;
        if (threads.empty()) continue;
        const replay::LocationCalls& first = calls.locations[threads.front().index()];
        if (first.events != 0) periods[i] = &first.periods;
    }
    return periods;
}

std::size_t commonCount(const std::vector<const std::vector<Period>*>& periods) {
    std::optional<std::size_t> count;
    for (const auto* const of : periods)
        if (of != nullptr) count = std::min(count.value_or(of->size()), of->size());
    return count.value_or(0);
}

/// The number of the period in which a time lies; nothing outside of all.
std::optional<std::size_t> periodAt(const std::vector<Period>& periods, Ticks time) {
    const auto next = std::ranges::upper_bound(periods, time, {}, &Period::begin);
    if (next == periods.begin() || time > std::prev(next)->end) return std::nullopt;
    return static_cast<std::size_t>(std::prev(next) - periods.begin());
}

Waits waitsOf(const patterns::JudgedTrace& run, trace::LocationId location,
              const std::vector<Period>& periods, std::size_t count) {
    Waits waits;
    const auto note = [&](const patterns::SingleWait& wait) {
        const auto period = periodAt(periods, wait.begin);
        if (wait.wait <= 0 || !period || *period >= count) return;
        auto& sums = waits[wait.metric.uniqueName];
        sums.resize(count, 0);
        sums[*period] = patterns::wrappingSum(sums[*period], wait.wait);
    };
    patterns::visitAllWaits(run, location, note);
    return waits;
}

}  // namespace

algebra::PeriodWaits periodWaits(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls,
                                 workers::Workers& workers) {
    const auto periods = periodsOfProcesses(calls);
    const std::size_t count = commonCount(periods);
    algebra::PeriodWaits result;
    if (count == 0 || count > kMost) return result;
    std::vector<Ticks> lengths(count, 0);
    for (const auto* const of : periods)
        for (std::size_t i = 0; of != nullptr && i < count; ++i)
            lengths[i] = patterns::wrappingSum(lengths[i], (*of)[i].end - (*of)[i].begin);
    std::vector<Waits> byLocation(calls.locations.size());
    workers.forEach(byLocation.size(), [&](std::size_t i) {
        const auto* const of = periods[calls.definitions.locations[i].process.index()];
        if (of != nullptr) byLocation[i] = waitsOf(run, trace::LocationId(i), *of, count);
    });
    Waits all;
    for (const Waits& local : byLocation)
        for (const auto& [metric, ticks] : local) {
            auto& sums = all[metric];
            sums.resize(count, 0);
            for (std::size_t i = 0; i < count; ++i) sums[i] = patterns::wrappingSum(sums[i], ticks[i]);
        }
    const auto seconds = [&calls](const std::vector<Ticks>& ticks) {
        std::vector<double> values;
        for (const Ticks one : ticks) values.push_back(calls.definitions.seconds(one));
        return values;
    };
    result.lengths = seconds(lengths);
    for (const auto& [metric, ticks] : all) result.waits[metric] = seconds(ticks);
    return result;
}

namespace {

using algebra::kCourseParts;

/// The waits that begin in a part of a trace. Locations are summed in their order, so that nothing depends on
/// who judged which.
struct Part {
    Ticks ticks = 0;
    std::uint64_t waits = 0;
    double squares = 0;  ///< of ticks

    void addWait(Ticks wait) { add({wait, 1, static_cast<double>(wait) * static_cast<double>(wait)}); }
    void add(const Part& more) {
        ticks = patterns::wrappingSum(ticks, more.ticks);
        waits += more.waits;
        squares += more.squares;
    }
};
using Parts = std::array<Part, kCourseParts>;
/// By unique name.
using Courses = std::map<std::string, Parts>;

/// Where the parts of a trace begin.
class Division {
  public:
    explicit Division(Ticks length) : part_(std::max<Ticks>(0, length) / kParts + 1) {}

    Part& at(Parts& parts, Ticks begin) const {
        return parts[static_cast<std::size_t>(std::clamp<Ticks>(begin / part_, 0, kParts - 1))];
    }

  private:
    static constexpr Ticks kParts = kCourseParts;
    Ticks part_;
};

Courses coursesOf(const patterns::JudgedTrace& run, trace::LocationId location, const Division& division) {
    Courses courses;
    const auto note = [&](const patterns::SingleWait& wait) {
        if (wait.wait <= 0) return;
        division.at(courses[wait.metric.uniqueName], wait.begin).addWait(wait.wait);
    };
    patterns::visitAllWaits(run, location, note);
    return courses;
}

}  // namespace

std::vector<algebra::WaitCourse> waitCourses(const patterns::JudgedTrace& run, workers::Workers& workers) {
    const Division division(static_cast<Ticks>(run.trace.definitions.clock.length));
    std::vector<Courses> byLocation(run.trace.locations.size());
    workers.forEach(byLocation.size(),
                    [&](std::size_t i) { byLocation[i] = coursesOf(run, trace::LocationId(i), division); });
    Courses all;
    for (const Courses& local : byLocation)
        for (const auto& [metric, parts] : local)
            for (std::size_t i = 0; i < kCourseParts; ++i) all[metric][i].add(parts[i]);
    const auto perSecond = static_cast<double>(run.trace.definitions.clock.ticksPerSecond);
    std::vector<algebra::WaitCourse> courses;
    for (const auto& [metric, parts] : all) {
        courses.push_back({metric, {}, {}, {}});
        for (const Part& part : parts) {
            const auto ticks = static_cast<double>(part.ticks);
            courses.back().typical.push_back(part.ticks > 0 ? part.squares / ticks / perSecond : 0);
            courses.back().seconds.push_back(run.trace.definitions.seconds(part.ticks));
            courses.back().waits.push_back(static_cast<double>(part.waits));
        }
    }
    return courses;
}

}  // namespace holos::analyzer::assemble
