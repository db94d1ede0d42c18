// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>

#include "analyzer/trace/ids.h"
#include "gui/models/iterations/iteration_reader.h"

class QDoubleSpinBox;
class QPushButton;
class QWidget;

namespace holos::gui {

class TimelineTracks;

/// Another run below a timeline: which one, how much later it is looked at, and so much later that an
/// iteration begins at the same place in both. Iterations are found in the background, also for a single run.
class TimelineComparison : public QObject {
    Q_OBJECT
  public:
    /// `parent` gets the buttons, which have no place in a layout yet.
    TimelineComparison(TimelineTracks& tracks, QWidget* parent);

    /// Another run below, or none for an empty name.
    void compareWith(const QString& archive);
    /// The archive of the other run; empty: there is none.
    QString other() const;
    /// Seconds that the other run is looked at later.
    double shift() const;
    void setShift(double seconds);
    /// Selects the iteration of the first run that this time is in.
    void selectIteration(analyzer::trace::Ticks time);
    /// Iterations are being looked for.
    bool isBusy() const;

    QPushButton* compareButton() const { return compare_; }
    QDoubleSpinBox* shiftBox() const { return shift_; }
    QPushButton* alignButton() const { return align_; }

  Q_SIGNALS:
    /// What was found, or is being looked for.
    void told(const QString& message);

  private:
    void askForOther();
    void align();
    void alignNow();
    void findIterations(const QStringList& archives, const std::function<void()>& then);
    void takeIterations();
    query::IterationTimes iterationsOf(const QString& archive) const;

    TimelineTracks& tracks_;
    QPushButton* compare_;
    QDoubleSpinBox* shift_;
    QPushButton* align_;
    IterationReader iterations_;  ///< of archives
    QStringList wanted_;          ///< of these archives
    std::function<void()> whenFound_;
};

}  // namespace holos::gui
