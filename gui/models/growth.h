// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algebra/scaling/growing_paths.h"
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

}  // namespace holos::gui
