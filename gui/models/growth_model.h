// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>
#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/scaling/growing_paths.h"
#include "gui/models/comparison_model.h"

namespace holos::gui {

using StudyPtr = std::shared_ptr<const algebra::scaling::Study>;

/// How a metric grows in the open experiments, which are runs of different sizes.
struct Growth {
    StudyPtr study;  ///< null where they are no study
    std::string metric;
    algebra::scaling::Point at;                          ///< the size that is predicted
    std::vector<algebra::scaling::Growing> paths;        ///< the largest prediction first
    std::vector<algebra::scaling::Growing> subtrees{};   ///< of what has nothing itself, with what it calls
    std::optional<algebra::scaling::Growing> program{};  ///< the whole one
    QString whyEmpty;                                    ///< where there are no models

    /// Of a call path of the study's program; null: it has nothing.
    const algebra::scaling::Growing* of(algebra::CallPathId path) const;
    /// `processes`, `threads` or `size`.
    QString parameter() const;
};

/// Makes models of how metrics grow, in a thread of its own, and remembers them. Of what is asked for while
/// it works, only the last one counts.
class GrowthFinder : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// The first one is the browser's own: run 0 of the study.
    void setExperiments(std::vector<NamedExperiment> experiments);
    /// `found` follows, at once where the answer is known. `at`: the size to predict; nothing: four times the
    /// largest one.
    void want(const std::string& metric, std::optional<double> at);
    bool isBusy() const { return isBusy_; }

  Q_SIGNALS:
    void found(const holos::gui::Growth& growth);

  private:
    struct Wanted {
        std::string metric;
        std::optional<double> at;
        friend auto operator<=>(const Wanted&, const Wanted&) = default;
    };
    void findNext();

    std::vector<NamedExperiment> experiments_;
    StudyPtr study_;                  ///< once it has been made
    std::map<Wanted, Growth> known_;  ///< of these experiments
    std::optional<Wanted> next_;
    int version_ = 0;  ///< of the experiments
    bool isBusy_ = false;
};

/// Call paths × what is known of how they grow: what was measured in the largest runs, the law, what it
/// predicts and how surely. The largest prediction comes first.
class GrowthModel : public QAbstractTableModel {
  public:
    enum Column {
        PathColumn,
        LawColumn,
        LargestColumn,
        PredictedColumn,
        BoundsColumn,
        GrowthColumn,
        ShareColumn,
        ExplainedColumn,
        ErrorColumn,
        kColumns
    };

    void setGrowth(const Growth& growth);
    void setDigits(Digits digits);
    const Growth& growth() const { return growth_; }
    /// Of the values in the table.
    const QuantityFormat& format() const { return format_; }
    /// −1: none.
    int rowOf(algebra::CallPathId pathOfProgram) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    double valueOf(const algebra::scaling::Growing& row, int column) const;
    QString textOf(const algebra::scaling::Growing& row, int column) const;
    void chooseFormat();

    Growth growth_;
    QStringList names_;  ///< by row
    QuantityFormat format_;
    Digits digits_;
};

}  // namespace holos::gui
