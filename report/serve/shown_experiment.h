// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "report/serve/workshop.h"

namespace holos::serve {

using ExperimentPtr = std::shared_ptr<const algebra::Experiment>;

enum class Tree : std::uint8_t { Metrics, Calls, System };
constexpr auto wordsOf(Tree) {
    return std::array{std::pair{"metrics", Tree::Metrics}, std::pair{"calls", Tree::Calls},
                      std::pair{"system", Tree::System}};
}

/// What is selected in the panes for metrics and call paths: an open node stands for itself (`Exclusive`), a
/// closed one for all below it, too.
struct Chosen {
    algebra::MetricChoice metric;
    std::optional<algebra::CallPathChoice> path;  ///< nothing: the whole call tree
};

/// A row of a pane. Nodes of a tree have numbers; the system's nodes come first, then the processes, then the
/// locations.
struct Row {
    std::size_t node = 0;
    std::string name;
    std::size_t children = 0;
    double inclusive = 0.0;
    std::optional<double> exclusive;  ///< nothing: the node has nothing alone
    bool isPending = false;           ///< the values are being read
};

/// One experiment as the three panes show it. What was computed is remembered, up to a limit.
/// Thread safety: safe.
class ShownExperiment {
  public:
    explicit ShownExperiment(ExperimentPtr experiment);
    ~ShownExperiment();
    ShownExperiment(const ShownExperiment&) = delete;
    ShownExperiment& operator=(const ShownExperiment&) = delete;

    const algebra::Experiment& experiment() const { return *experiment_; }
    const ExperimentPtr& shared() const { return experiment_; }

    std::size_t nodes(Tree tree) const;
    /// The roots that are seen: without hidden metrics, and without the thread of a process that has no
    /// other.
    const std::vector<std::size_t>& roots(Tree tree) const { return roots_.at(tree); }
    const std::vector<std::size_t>& childrenOf(Tree tree, std::size_t node) const {
        return children_.at(tree)[node];
    }
    std::optional<std::size_t> parentOf(Tree tree, std::size_t node) const;
    /// Short enough for a pane.
    std::string nameOf(Tree tree, std::size_t node) const;
    /// With all that tells it from others.
    std::string wholeNameOf(Tree tree, std::size_t node) const;
    /// Names from the root downwards, escaped, between `/`, as links of `holos view` have them: what is found
    /// again in another experiment. `;2` is the second of this name. Of a metric its unique name.
    std::string keyOf(Tree tree, std::size_t node) const;
    /// The node of a key; nothing where there is none.
    std::optional<std::size_t> withKey(Tree tree, std::string_view key) const;
    /// With the value that is selected in the panes to the left. Values of metrics are waited for no longer
    /// than `until`.
    Row row(Tree tree, std::size_t node, const Chosen& chosen, Moment until);

    /// By call path, each without what is below it, or with it.
    std::shared_ptr<const std::vector<double>> callPaths(algebra::MetricChoice metric,
                                                         algebra::Extent extent);
    /// By node of the system.
    std::shared_ptr<const std::vector<double>> system(const Chosen& chosen);
    double total(algebra::MetricChoice choice);
    /// As `total`, found in a thread of its own; nothing where it is not there at that moment.
    std::optional<double> totalBy(Moment until, algebra::MetricChoice choice);

  private:
    using Values = std::shared_ptr<const std::vector<double>>;
    using Key = std::array<std::size_t, 5>;

    void addTree(Tree tree, std::size_t nodes);
    const std::vector<std::size_t>& besides(Tree tree, std::size_t node) const;
    std::optional<std::vector<algebra::MetricId>> storedParts(algebra::MetricChoice choice) const;
    template <class Of>
    std::vector<double> without(const std::vector<algebra::MetricId>& parts, algebra::MetricId metric, Of of);
    Values sums(algebra::MetricId metric);
    template <class Make>
    Values remembered(const Key& key, std::size_t size, Make make);
    void remember(const Key& key, std::size_t size, const std::shared_future<Values>& values);

    ExperimentPtr experiment_;
    ShortNames names_;
    std::map<Tree, std::vector<std::size_t>> roots_;
    std::map<Tree, std::vector<std::vector<std::size_t>>> children_;

    std::mutex mutex_;  ///< of what is remembered
    std::map<Key, std::shared_future<Values>> known_;
    std::list<std::pair<Key, std::size_t>> order_;  ///< with how many numbers; the oldest first
    std::size_t numbers_ = 0;

    using Asked = std::pair<algebra::MetricId, algebra::Extent>;
    void readTotals();

    std::mutex totalsMutex_;  ///< of all below
    std::condition_variable isWanted_;
    std::condition_variable isRead_;
    std::map<Asked, std::optional<double>> totals_;  ///< nothing: wanted
    std::deque<Asked> wanted_;
    bool isOver_ = false;
    std::thread reader_;  ///< from the first that is wanted on
};

}  // namespace holos::serve
