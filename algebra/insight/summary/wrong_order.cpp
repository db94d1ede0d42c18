// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/wrong_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/words.h"

namespace holos::algebra {

namespace {

const MetricNames kWrongOrder{"mpi_latesender_wo"};
const MetricNames kOfDifferentSenders{"mpi_lswo_different"};
const MetricNames kLateReceivers{"mpi_latereceiver"};

double sumOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Such a call completes whatever comes first: no other order of its receives would help.
bool receivesInAnyOrder(const Measures& measures, CallPathId path) {
    constexpr auto kCalls = std::to_array<std::string_view>(
        {"MPI_Waitany", "MPI_Waitsome", "MPI_Waitall", "MPI_Testany", "MPI_Testsome", "MPI_Testall"});
    return std::ranges::count(kCalls, measures.experiment().regionOf(path).name) > 0;
}

CallPathId callerOf(const Measures& measures, CallPathId path) {
    return measures.experiment().callTree.parent(path).value_or(path);
}

/// By LocationId, of a call path alone; 0 where it is not known.
std::vector<double> visitsOf(const Measures& measures, CallPathId path) {
    const auto visits = measures.find("visits");
    if (!visits) return std::vector<double>(measures.experiment().system.locations.size(), 0.0);
    return perLocation(measures.experiment(), {*visits}, {{path, Extent::Exclusive}});
}

/// What a thread does between the receives of a call path.
struct BetweenReceives {
    double work = 0;       ///< of it the part that it could do earlier in another order
    bool areKnown = true;  ///< they are of one round
};

/// By LocationId: what is done in a call path, with what it calls.
std::vector<double> doneIn(const Measures& measures, CallPathId path) {
    MetricNames names{"comp"};
    names.insert(names.end(), sleepTimes().begin(), sleepTimes().end());
    return measures.perLocation(names, path);
}

/// Calls that a call path makes, in which messages are received by one function, in one line or in several.
class ReceivesWithin {
  public:
    ReceivesWithin(const Measures& measures, CallPathId around, RegionId function)
        : measures_(measures),
          around_(around),
          called_(visitsOf(measures, around)),
          received_(called_.size()) {
        const CallTree& tree = measures.experiment().callTree;
        for (const CallPathId call : tree.children(around)) {
            std::vector<double> here(called_.size(), 0.0);
            bool receives = false;
            for (const CallPathId path : tree.subtree(call)) {
                if (tree[path].region != function) continue;
                receives = true;
                std::ranges::transform(here, visitsOf(measures, path), here.begin(), std::plus());
            }
            if (!receives) continue;
            std::ranges::transform(received_, here, received_.begin(), std::plus());
            calls_.push_back(call);
            byCall_.push_back(std::move(here));
        }
    }

    /// How many messages a thread receives whenever the call path is called.
    double messages(std::size_t thread) const {
        return called_[thread] > 0 ? received_[thread] / called_[thread] : 0;
    }
    /// By LocationId: what is done there, but not in lines in front of all that receive, or behind them,
    /// where these receive one message each.
    std::vector<double> workBetween() const {
        std::vector<double> done = doneIn(measures_, around_);
        const CallTree& tree = measures_.experiment().callTree;
        const auto lineOf = [&](CallPathId call) { return tree[call].line; };
        const auto [first, last] = std::ranges::minmax(calls_, {}, lineOf);
        const std::string& file = tree[first].module;
        const auto isHere = [&](CallPathId call) { return lineOf(call) > 0 && tree[call].module == file; };
        if (!std::ranges::all_of(calls_, isHere)) return done;
        for (const CallPathId call : tree.children(around_)) {
            if (!isHere(call) || (lineOf(call) >= lineOf(first) && lineOf(call) <= lineOf(last))) continue;
            const std::vector<double> outside = doneIn(measures_, call);
            for (std::size_t thread = 0; thread < done.size(); ++thread)
                if (isOneEach(thread)) done[thread] -= outside[thread];
        }
        return done;
    }

  private:
    bool isOneEach(std::size_t thread) const {
        return std::ranges::all_of(
            byCall_, [&](const std::vector<double>& here) { return here[thread] <= called_[thread]; });
    }

    const Measures& measures_;
    CallPathId around_;
    std::vector<double> called_, received_;  ///< by LocationId
    std::vector<CallPathId> calls_;
    std::vector<std::vector<double>> byCall_;  ///< messages by LocationId, as in `calls_`
};

/// What threads do between the receives of a call path, which they could do earlier in another order: of `n`
/// messages the part that belongs to all but the one that comes last. `senders`: no more messages come in one
/// round, as far as rounds can be told apart.
std::vector<BetweenReceives> betweenReceives(const Measures& measures, CallPathId receive,
                                             const std::vector<LocationId>& threads, double senders) {
    constexpr double kSeveral = 1.5;
    const CallTree& tree = measures.experiment().callTree;
    std::vector<BetweenReceives> found(
        threads.size(), {std::numeric_limits<double>::infinity(), true});  // by a path of its own
    std::vector<bool> isFound(threads.size(), false);
    for (std::optional<CallPathId> around = tree.parent(receive); around; around = tree.parent(*around)) {
        const ReceivesWithin receives(measures, *around, tree[receive].region);
        std::vector<double> work;
        for (std::size_t i = 0; i < threads.size(); ++i) {
            const std::size_t thread = threads[i].index();
            const double messages = receives.messages(thread);
            if (isFound[i] || messages < kSeveral) continue;
            if (work.empty()) work = receives.workBetween();
            isFound[i] = true;
            found[i] = {work[thread] * (1 - 1 / std::min(messages, senders)), messages <= senders};
        }
        if (std::ranges::all_of(isFound, std::identity())) break;
    }
    return found;
}

/// Of one sender any number of messages may come in a round, of different ones one each.
double sendersTo(const Measures& measures, CallPathId receive) {
    constexpr double kMostly = 0.5;
    const double all = measures.perPath(kWrongOrder)[receive.index()];
    const double different = measures.perPath(kOfDifferentSenders)[receive.index()];
    return different > kMostly * all ? static_cast<double>(measures.processes().size() - 1)
                                     : std::numeric_limits<double>::infinity();
}

double workBetweenReceives(const Measures& measures, CallPathId receive,
                           const std::vector<LocationId>& threads) {
    const double senders = sendersTo(measures, receive);
    double sum = 0;
    for (const BetweenReceives& one : betweenReceives(measures, receive, threads, senders)) sum += one.work;
    return sum;
}

/// Threads with such waits there.
std::vector<LocationId> waitersAt(const Measures& measures, const MetricNames& waits, CallPathId path) {
    const std::vector<double> values = measures.perLocation(waits, path);
    std::vector<LocationId> threads;
    for (const LocationId thread : measures.threads())
        if (values[thread.index()] > 0) threads.push_back(thread);
    return threads;
}

/// Some that do not wait there work longer than others, or would if they had processors, by much of what is
/// waited: they come late in any order.
bool areSendersLate(const Measures& measures, const std::vector<LocationId>& waiters, double waited) {
    constexpr double kLateFor = 0.25;
    const std::vector<Member> members =
        processMembers(measures, measures.perLocation({"comp", "processor_waiting"}));
    const Spread spread = spreadOf(members);
    const bool areOthers = std::ranges::none_of(spread.members, [&](std::size_t member) {
        return std::ranges::find_first_of(members[member].locations, waiters) !=
               members[member].locations.end();
    });
    const double beyond = (spread.theirs - spread.others) * static_cast<double>(waiters.size());
    return !spread.members.empty() && areOthers && beyond >= kLateFor * waited;
}

/// Of what is waited there for one sender while messages of others are there, the part that another order
/// may spare.
double partOfOrder(const Measures& measures, CallPathId receive, double waited) {
    const std::vector<LocationId> waiters = waitersAt(measures, kOfDifferentSenders, receive);
    const auto senders = static_cast<double>(measures.processes().size() - 1);
    double work = 0;
    bool areKnown = true;
    for (const BetweenReceives& between : betweenReceives(measures, receive, waiters, senders)) {
        work += between.work;
        areKnown = areKnown && between.areKnown;
    }
    // Where rounds are not known, neither is whether the work is between the receives of one.
    if (!areKnown && areSendersLate(measures, waiters, waited)) work = 0;
    return std::min(1.0, (work + measures.total(kLateReceivers)) / waited);
}

/// By CallPathId.
std::vector<double> waitsInWrongOrder(const Measures& measures) {
    std::vector<double> values = measures.perPath(kWrongOrder);
    std::vector<double> different = measures.perPath(kOfDifferentSenders);
    std::map<CallPathId, double> byCaller;  // they share what it works between them
    std::map<CallPathId, CallPathId> largest;
    for (const CallPathId path : measures.experiment().callTree.ids()) {
        if (receivesInAnyOrder(measures, path)) values[path.index()] = different[path.index()] = 0;
        if (!(different[path.index()] > 0)) continue;
        const CallPathId caller = callerOf(measures, path);
        byCaller[caller] += different[path.index()];
        const auto known = largest.try_emplace(caller, path).first;
        if (different[path.index()] > different[known->second.index()]) known->second = path;
    }
    std::map<CallPathId, double> parts;
    for (const auto& entry : byCaller)
        parts[entry.first] = partOfOrder(measures, largest.at(entry.first), entry.second);
    for (const CallPathId path : measures.experiment().callTree.ids())
        if (different[path.index()] > 0)
            values[path.index()] -= (1 - parts.at(callerOf(measures, path))) * different[path.index()];
    return values;
}

double othersOf(const Measures& measures) {
    return static_cast<double>(measures.threads().size()) - 1;
}

/// Takes so many seconds of waiting for messages out of the delays, with what is handed on, and returns
/// the latter: each of so many others waits no longer than that. Those who are waited for are where the
/// receives are, in the caller of these, or in as much of the rest as there is elsewhere.
double takeOut(const CallTree& tree, double waited, double others, CallPathId receive, Delays& delays) {
    std::vector<double> direct = delays.byRule.front();
    std::ranges::transform(direct, delays.handedOn.front(), direct.begin(), std::minus<>());
    const CallPathId caller = tree.parent(receive).value_or(receive);
    const auto sumWhere = [&](bool isWithin) {
        double sum = 0;
        for (const CallPathId path : tree.ids())
            if (tree.isWithin(path, caller) == isWithin) sum += std::max(0.0, direct[path.index()]);
        return sum;
    };
    const double within = sumWhere(true), elsewhere = sumWhere(false);
    const double partWithin = within > 0 ? std::min(1.0, waited / within) : 0;
    const double rest = std::max(0.0, waited - within);
    const double partElsewhere = elsewhere > 0 ? std::min(1.0, rest / elsewhere) : 0;
    const auto partAt = [&](CallPathId path) {
        return tree.isWithin(path, caller) ? partWithin : partElsewhere;
    };
    double through = 0;
    for (const CallPathId path : tree.ids())
        for (const std::vector<double>& values : delays.handedOn)
            through += partAt(path) * values[path.index()];
    const double most = others * waited;
    const double kept = through > most ? most / through : 1;
    for (const CallPathId path : tree.ids()) {
        const std::size_t at = path.index();
        delays.byRule.front()[at] -= partAt(path) * std::max(0.0, direct[at]);
        for (std::size_t rule = 0; rule < delays.byRule.size(); ++rule) {
            const double taken = kept * partAt(path) * delays.handedOn[rule][at];
            delays.byRule[rule][at] -= taken;
            delays.handedOn[rule][at] -= taken;
        }
    }
    return kept * through;
}

}  // namespace

std::optional<WrongOrder> takeOutWrongOrder(const Measures& measures, double least, Delays& delays) {
    const std::vector<double> values = waitsInWrongOrder(measures);
    const auto most = std::ranges::max_element(values);
    if (most == values.end() || !(*most > 0)) return std::nullopt;
    if (!(measures.total(waitRules().front().waits) > 0)) return std::nullopt;
    const CallPathId path(static_cast<std::size_t>(most - values.begin()));
    Delays rest = delays;
    // What is left of waits for messages when those for senders without a processor are told elsewhere.
    double direct = 0;
    for (std::size_t at = 0; at < values.size(); ++at)
        direct += std::max(0.0, delays.byRule.front()[at] - delays.handedOn.front()[at]);
    const double all = sumOf(values), waited = std::min(all, direct);
    const double handedOn = takeOut(measures.experiment().callTree, waited, othersOf(measures), path, rest);
    if (waited + handedOn < least) return std::nullopt;
    delays = std::move(rest);
    WrongOrder wrong{problemOf(measures, "wrong-order", waited + handedOn), waited, handedOn};
    Problem& problem = wrong.problem;
    placeAt(measures, path, problem);
    describeWaiters(measures, kWrongOrder, path, problem);
    problem.why =
        "the message that is received first is sent last; the others are there already, and have to wait "
        "for it";
    if (sumOf(measures.perPath(kOfDifferentSenders)) > 0)
        problem.why +=
            "; another order spares only what is done between these receives, and how much of the work there "
            "that is, is not known";
    constexpr double kWorthTelling = 0.01;
    if (all - waited > kWorthTelling * all && delays.ofShortage > 0)
        problem.why +=
            fmt::format("; in {} of such waiting senders had no processor: that part is not counted here",
                        percentText(100 * (all - waited) / all));
    // Each second in which a sender has no processor is one for whoever receives from it.
    if (waited <= starvationOf(measures).seconds)
        problem.why +=
            "; uncertain: threads waited for processors, which makes messages come in another order, too";
    addEvidence(measures, kWrongOrder, "waiting while other messages were there", path, kAll, problem);
    return wrong;
}

bool mayExplain(const Measures& measures, const WrongOrder& wrong, double seconds) {
    return seconds <= othersOf(measures) * wrong.waited - wrong.handedOn;
}

double gainOfOrder(const Measures& measures, const Delays& delays, const WrongOrder& wrong) {
    const Problem& problem = wrong.problem;
    const std::size_t all = measures.threads().size();
    const double each = problem.cost / static_cast<double>(all);
    if (!delays.areCauses) return each;
    const auto others = static_cast<double>(all - std::min(all - 1, problem.locations.size()));
    const double gain = std::min(each, (problem.cost - wrong.waited) / others);
    // Senders that wait until a message is received go on earlier, too: by how much is not known.
    constexpr double kHardly = 0.1;
    if (!problem.path || measures.total(kLateReceivers) > kHardly * wrong.waited) return gain;
    return std::min(gain, workBetweenReceives(measures, *problem.path, problem.locations));
}

}  // namespace holos::algebra
