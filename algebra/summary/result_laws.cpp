// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/summary/result_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "algebra/model/queries.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/summary/rules.h"
#include "algebra/summary/words.h"

namespace holos::algebra {

namespace {

/// Of the larger one: times are sums of many doubles.
constexpr double kRounding = 1e-6;
/// Seconds: a tick of any clock, many times.
constexpr double kLeast = 1e-6;

bool isMore(double one, double other) {
    return one > other + kRounding * std::max(std::abs(one), std::abs(other)) + kLeast;
}

class Laws {
  public:
    explicit Laws(const Experiment& experiment) : experiment_(experiment) {}

    std::vector<BrokenResultLaw> run() {
        const auto above = total({"imbalance_above"}), below = total({"imbalance_below"});
        if (above && below && !hasTasksApart() && (isMore(*above, *below) || isMore(*below, *above)))
            broken(fmt::format("computation above the average is {}, but below it {}", secondsText(*above),
                               secondsText(*below)),
                   {"imbalance", "imbalance_above", "imbalance_below"});
        for (const WaitRule& rule : waitRules()) checkBlame(rule);
        return std::move(broken_);
    }

  private:
    /// Nothing where the experiment has none of them.
    std::optional<double> total(const MetricNames& names) const {
        std::optional<double> sum;
        for (const char* name : names)
            if (const auto metric = experiment_.findMetric(name);
                metric && experiment_.metrics[*metric].hasValues())
                sum = sum.value_or(0) + aggregate(experiment_, {*metric});
        return sum;
    }

    /// In a call tree of their own, where all threads run them, but only the first ones of processes are
    /// compared.
    bool hasTasksApart() const {
        return std::ranges::any_of(experiment_.callTree.roots(), [&](CallPathId root) {
            return experiment_.regionOf(root).name == "TASKS";
        });
    }

    void checkBlame(const WaitRule& rule) {
        const auto delays = total(rule.delays), waits = total(rule.waits);
        if (!delays || !waits || !isMore(*delays, *waits)) return;
        std::vector<std::string> names(rule.delays.begin(), rule.delays.end());
        broken(fmt::format("delays explain {} of waiting {}, but there is only {}", secondsText(*delays),
                           rule.name, secondsText(*waits)),
               std::move(names));
    }

    void broken(std::string text, std::vector<std::string> metrics) {
        broken_.push_back({std::move(text), std::move(metrics)});
    }

    const Experiment& experiment_;
    std::vector<BrokenResultLaw> broken_;
};

}  // namespace

std::vector<BrokenResultLaw> brokenResultLaws(const Experiment& experiment) {
    if (provenanceOf(experiment)) return {};
    return Laws(experiment).run();
}

}  // namespace holos::algebra
