// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "algebra/model/structure.h"
#include "gui/models/call_model.h"
#include "gui/models/counterpart.h"
#include "gui/models/menu_choice.h"

namespace holos::gui {

/// What the colours of a flame graph say of a call path.
enum class FlameColors : unsigned char {
    Own,         ///< what it has without what is below it
    Folders,     ///< where its code is
    Difference,  ///< how much more or less it has, with what is below it, than in another experiment
};

std::span<const MenuChoice<FlameColors>> flameColors();

/// Where call paths stand in a flame graph whose roots are at the top (an icicle). A box is as wide as what
/// its call path has with everything below it. Values are magnitudes: where some are negative, as in a
/// difference, what cancels out has its width, too. What is undefined has none.
class FlameGraph {
  public:
    /// Places are parts of the whole width.
    struct Box {
        algebra::CallPathId path;
        double start = 0.0;
        double width = 0.0;
    };
    /// A box on pixels: from `left` to before `right`.
    struct Piece {
        algebra::CallPathId path;
        int left = 0;
        int right = 0;
    };

    FlameGraph() = default;
    /// `own`: the value that each call path has without what is below it. The tree must outlive the graph.
    FlameGraph(const algebra::CallTree& tree, const std::vector<double>& own);

    /// This call path takes the whole width, with what is below it, and so does each that leads to it;
    /// nothing: the whole tree.
    void zoom(std::optional<algebra::CallPathId> top);
    std::optional<algebra::CallPathId> top() const { return top_; }

    int rows() const { return static_cast<int>(rows_.size()); }
    /// From left to right. Those without a width are left out.
    const std::vector<Box>& row(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    /// What is seen of a row on so many pixels: each pixel has the box at its middle.
    std::vector<Piece> pieces(int row, int pixels) const;

    /// The box of a call path, with its row; nothing where it has none.
    std::optional<Box> boxOf(algebra::CallPathId path) const;
    int rowOf(algebra::CallPathId path) const { return depths_[path.index()]; }
    std::optional<algebra::CallPathId> at(int row, double place) const;
    /// Of the boxes right below, the widest.
    std::optional<algebra::CallPathId> widestBelow(algebra::CallPathId path) const;
    /// The next box in the row, to the right (1) or to the left (−1).
    std::optional<algebra::CallPathId> beside(algebra::CallPathId path, int by) const;

    /// With what is below it.
    double sizeOf(algebra::CallPathId path) const { return sizes_[path.index()]; }
    /// Of what is shown.
    double whole() const;
    /// What these have with everything below them, each part once.
    double sizeOfAll(const std::vector<algebra::CallPathId>& paths) const;

  private:
    void add(algebra::CallPathId path, double start, double width);
    void place(const std::vector<algebra::CallPathId>& siblings, double start, double scale);

    const algebra::CallTree* tree_ = nullptr;
    std::optional<algebra::CallPathId> top_;
    std::vector<double> sizes_;  ///< by call path
    std::vector<int> depths_;    ///< by call path
    std::vector<std::vector<Box>> rows_;
    std::vector<int> places_;  ///< by call path: in its row; −1: none
};

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
    const Counterpart* other() const { return other_.get(); }

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
    static NodeId nodeOf(algebra::CallPathId path) { return NodeId(path.index()); }
    bool isOtherPending() const;
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
    bool arePending_ = false;  ///< values were being read when they were asked for
    Values own_;
    Values inclusive_;
    FlameGraph graph_;
    QStringList folders_;
    std::vector<int> folderNumbers_;  ///< by call path
    std::unique_ptr<Counterpart> other_;
    bool isOtherPending_ = false;      ///< as `arePending_`, of the other experiment
    std::vector<double> differences_;  ///< by call path; empty: none
    ScaleRange ownRange_;
    ScaleRange differenceRange_;
};

}  // namespace holos::gui
