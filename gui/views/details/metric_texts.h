// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTextObjectInterface>
#include <memory>
#include <optional>

#include "algebra/insight/findings/findings.h"
#include "algebra/model/metric_guide.h"
#include "gui/models/value_cache.h"

class QTextCursor;
class QThread;

namespace holos::gui {

class Colors;

/// Draws pattern pictures as parts of a text: lanes below each other, time from left to right, the waiting in
/// the colour of large values.
class PatternDrawing : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
  public:
    /// For the text of this widget, whose font and palette it takes. The colours must outlive it.
    PatternDrawing(const Colors& colors, QWidget* owner);

    /// Puts a picture where the cursor is, in a document that `registerHandler` was called for.
    static void insert(QTextCursor& cursor, const algebra::Picture& picture);
    static constexpr int kObjectType = QTextFormat::UserObject + 1;

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
                    const QTextFormat& format) override;

  private:
    double laneHeight() const;
    double nameWidth(const algebra::Picture& picture) const;
    void paintLane(QPainter& painter, const QRectF& place, const algebra::Lane& lane) const;
    void paintArrow(QPainter& painter, QPointF from, QPointF to) const;

    const Colors& colors_;
    const QWidget& owner_;
};

/// What the selected metric is: its name, where its values come from, a picture of its pattern, its
/// description and its formula.
class DescriptionPane : public QTextBrowser {
  public:
    /// The colours and the guide must outlive the pane.
    DescriptionPane(const Colors& colors, const algebra::MetricGuide& guide, QWidget* parent = nullptr);

    /// `reason` says why the metric has no values, `lack` what it lacks to be complete; empty when nothing.
    void describe(const algebra::Metric& metric, const QString& reason, const QString& lack);

  private:
    const algebra::MetricGuide& guide_;
};

/// What the specification of the experiment finds worth saying, with links to the call paths concerned.
/// Evaluated in a thread of its own when the pane is first seen; destruction waits for it.
///
/// Thread safety: one thread; its own only reads the experiment.
class FindingsPane : public QTextBrowser {
    Q_OBJECT
  public:
    explicit FindingsPane(ExperimentPtr experiment, QWidget* parent = nullptr);
    ~FindingsPane() override;

    /// Writes long names of functions whole, or as they are read best.
    void setWholeNames(bool whole);
    /// Until everything is evaluated.
    void wait();

  Q_SIGNALS:
    /// Somebody followed a link.
    void callPathActivated(algebra::CallPathId path);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void showReport();

    ExperimentPtr experiment_;
    bool wholeNames_ = false;
    std::optional<algebra::FindingReport> report_;
    QString problem_;  ///< why there is no report
    std::unique_ptr<QThread> thread_;
};

/// What is said in words: the description of a metric and, of an experiment with a specification, the
/// findings in a tab beside it.
class MetricTexts : public QTabWidget {
    Q_OBJECT
  public:
    /// All but the experiment must outlive the texts.
    MetricTexts(const ExperimentPtr& experiment, const Colors& colors, const algebra::MetricGuide& guide,
                QWidget* parent = nullptr);

    /// Null for an experiment without a specification.
    FindingsPane* findings() const { return findings_; }
    void describe(ValueCache& cache, algebra::MetricId metric);
    void setWholeNames(bool whole);

  Q_SIGNALS:
    void callPathWanted(algebra::CallPathId path);

  private:
    DescriptionPane* description_;
    FindingsPane* findings_ = nullptr;
};

}  // namespace holos::gui
