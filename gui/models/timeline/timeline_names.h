// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QHash>
#include <QString>

#include "algebra/model/experiment.h"

namespace holos::gui {

/// Names, for people, of what a trace tells in time: metrics of an experiment, and counters.
class TimelineNames {
  public:
    explicit TimelineNames(const algebra::Experiment& experiment);

    /// By its unique name, or `counter:` and the name of a counter.
    QString of(const std::string& uniqueName) const;
    /// The names of metrics, by their unique names.
    const QHash<QString, QString>& ofMetrics() const { return names_; }

  private:
    QHash<QString, QString> names_;
};

}  // namespace holos::gui
