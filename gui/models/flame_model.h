// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "gui/models/call_model.h"
#include "gui/models/counterpart.h"
#include "gui/models/flame_colors.h"
#include "gui/models/flame_graph.h"

namespace holos::gui {

/// The flame graph of a metric, over a part of the system, and what its boxes say.
class FlameModel {
  public:
    /// Both must outlive the model. `calls` has the names, and which of them were found.
    FlameModel(const CallModel& calls, ValueCache& cache);
    ~FlameModel();

    /// No locations stands for all of them. Ends the zoom where the graph has no such call path any more.
    void setContext(algebra::MetricChoice metric, algebra::ChosenLocations locations);
    void setDigits(Digits digits);
    /// Another experiment for differences; null: none.
    void setOther(const NamedExperiment& other);

    const FlameGraph& graph() const { return graph_; }
    void zoom(std::optional<algebra::CallPathId> top) { graph_.zoom(top); }
    /// Why there is nothing to see; empty where there is something.
    QString reason() const;

    QString nameOf(algebra::CallPathId path) const { return calls_.shownName(nodeOf(path)); }
    std::optional<algebra::CallPathId> parentOf(algebra::CallPathId path) const {
        return cache_.experiment().callTree.parent(path);
    }
    bool isFound(algebra::CallPathId path) const { return calls_.rows().isFound(nodeOf(path)); }
    /// `12.5 % found`; empty where nothing is searched for.
    QString foundText() const;
    /// Several lines: path, values, and what the colour says.
    QString textOf(algebra::CallPathId path, FlameColors colors) const;

    /// −1 … 1: where the call path stands on the scale; NaN where it has no value there.
    double share(algebra::CallPathId path, FlameColors colors) const;
    ScaleRange range(FlameColors colors) const;
    /// The folders of the code, the one with the largest own values first.
    const QStringList& folders() const { return folders_; }
    /// Its place among them.
    int folderOf(algebra::CallPathId path) const { return folderNumbers_[path.index()]; }

  private:
    static int nodeOf(algebra::CallPathId path) { return static_cast<int>(path.index()); }
    void findFolders();
    void computeDifferences();
    ScaleRange rangeOf(const std::vector<double>& values, bool isSigned) const;
    void updateRanges();
    double valueOf(algebra::CallPathId path, FlameColors colors) const;
    Writing writing(FlameColors colors) const;

    const CallModel& calls_;
    ValueCache& cache_;
    std::optional<algebra::MetricChoice> metric_;
    algebra::ChosenLocations locations_ = kAll;
    Digits digits_;
    Values own_;
    Values inclusive_;
    FlameGraph graph_;
    QStringList folders_;
    std::vector<int> folderNumbers_;  ///< by call path
    std::unique_ptr<Counterpart> other_;
    std::vector<double> differences_;  ///< by call path; empty: none
    ScaleRange ownRange_;
    ScaleRange differenceRange_;
};

}  // namespace holos::gui
