// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/wrong_order.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/insight/summary/starvation.h"

namespace holos::algebra {

namespace {

class ReceivesInOrder {
  public:
    explicit ReceivesInOrder(const Measures& measures)
        : measures_(measures), tree_(measures.experiment().callTree) {}

    std::optional<WrongOrder> find(double least, Delays& delays) const {
        const MetricNames wrong{"mpi_latesender_wo"};
        std::vector<double> values = measures_.perPath(wrong);
        for (const CallPathId path : tree_.ids())
            if (receivesInAnyOrder(path)) values[path.index()] = 0;
        const double waited = std::accumulate(values.begin(), values.end(), 0.0);
        const auto most = std::ranges::max_element(values);
        if (!(waited > 0) || !(measures_.total(waitRules().front().waits) > 0)) return std::nullopt;
        const CallPathId path(static_cast<std::size_t>(most - values.begin()));
        const double cost = waited + takeOut(waited, path, delays);
        if (cost < least) return std::nullopt;
        Problem problem = problemOf(measures_, "wrong-order", cost);
        placeAt(measures_, path, problem);
        describeWaiters(measures_, wrong, path, problem);
        problem.why =
            "the message that is received first is sent last; the others are there already, and have to wait "
            "for it";
        // Each second in which a sender has no processor is one for whoever receives from it.
        if (waited <= starvationOf(measures_).seconds)
            problem.why +=
                "; uncertain: threads waited for processors, which makes messages come in another order, too";
        addEvidence(measures_, wrong, "waiting while other messages were there", path, kAll, problem);
        return WrongOrder{std::move(problem), waited};
    }

    /// What these threads do between the receives of a call path, which they could do earlier in another
    /// order: of `n` messages the part that belongs to all but the one that comes last.
    double workBetweenReceives(CallPathId receive, const std::vector<LocationId>& threads) const {
        constexpr double kSeveral = 1.5;
        const auto received = visitsOf(receive);
        double sum = 0;
        for (const LocationId thread : threads) {
            double messages = 0;
            std::optional<CallPathId> around = tree_.parent(receive);
            for (; around; around = tree_.parent(*around)) {
                const double calls = visitsOf(*around)[thread.index()];
                messages = calls > 0 ? received[thread.index()] / calls : 0;
                if (messages >= kSeveral) break;
            }
            if (!around) return std::numeric_limits<double>::infinity();  // received by a path of its own
            const double work = measures_.perLocation({"comp"}, around)[thread.index()] +
                                measures_.perLocation(sleepTimes(), around)[thread.index()];
            sum += work * (1 - 1 / messages);
        }
        return sum;
    }

    /// By LocationId, of a call path alone; 0 where it is not known.
    std::vector<double> visitsOf(CallPathId path) const {
        const auto visits = measures_.find("visits");
        if (!visits) return std::vector<double>(measures_.experiment().system.locations.size(), 0.0);
        return perLocation(measures_.experiment(), {*visits}, {{path, Extent::Exclusive}});
    }

  private:
    /// Takes so many seconds of waiting for messages out of the delays, with what is handed on, and returns
    /// the latter. Those who are waited for are where the receives are, in the caller of these, or in as much
    /// of the rest as there is elsewhere.
    double takeOut(double waited, CallPathId receive, Delays& delays) const {
        std::vector<double> direct = delays.byRule.front();
        std::ranges::transform(direct, delays.handedOn.front(), direct.begin(), std::minus<>());
        const CallPathId caller = tree_.parent(receive).value_or(receive);
        const auto sumOf = [&](bool isWithin) {
            double sum = 0;
            for (const CallPathId path : tree_.ids())
                if (tree_.isWithin(path, caller) == isWithin) sum += std::max(0.0, direct[path.index()]);
            return sum;
        };
        const double within = sumOf(true), elsewhere = sumOf(false);
        const double partWithin = within > 0 ? std::min(1.0, waited / within) : 0;
        const double rest = std::max(0.0, waited - within);
        const double partElsewhere = elsewhere > 0 ? std::min(1.0, rest / elsewhere) : 0;
        double handedOn = 0;
        for (const CallPathId path : tree_.ids()) {
            const std::size_t at = path.index();
            const double part = tree_.isWithin(path, caller) ? partWithin : partElsewhere;
            delays.byRule.front()[at] -= part * std::max(0.0, direct[at]);
            for (std::size_t rule = 0; rule < delays.byRule.size(); ++rule) {
                const double through = part * delays.handedOn[rule][at];
                delays.byRule[rule][at] -= through;
                delays.handedOn[rule][at] -= through;
                handedOn += through;
            }
        }
        return handedOn;
    }

    /// Such a call completes whatever comes first: no other order of its receives would help.
    bool receivesInAnyOrder(CallPathId path) const {
        constexpr auto kCalls = std::to_array<std::string_view>(
            {"MPI_Waitany", "MPI_Waitsome", "MPI_Waitall", "MPI_Testany", "MPI_Testsome", "MPI_Testall"});
        return std::ranges::count(kCalls, measures_.experiment().regionOf(path).name) > 0;
    }

    const Measures& measures_;
    const CallTree& tree_;
};

}  // namespace

std::optional<WrongOrder> takeOutWrongOrder(const Measures& measures, double least, Delays& delays) {
    return ReceivesInOrder(measures).find(least, delays);
}

double gainOfOrder(const Measures& measures, const Delays& delays, const Problem& problem, double waited) {
    const std::size_t all = measures.threads().size();
    const double gain = problem.cost / static_cast<double>(all);
    if (!delays.areCauses) return gain;
    const auto others = static_cast<double>(all - std::min(all - 1, problem.locations.size()));
    const double most = std::min(gain, (problem.cost - waited) / others);
    // Senders that wait until a message is received go on earlier, too: by how much is not known.
    constexpr double kHardly = 0.1;
    if (!problem.path || measures.total("mpi_latereceiver") > kHardly * waited) return most;
    return std::min(most, ReceivesInOrder(measures).workBetweenReceives(*problem.path, problem.locations));
}

}  // namespace holos::algebra
