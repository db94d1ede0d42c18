// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QRectF>
#include <memory>

#include "gui/models/communication.h"
#include "gui/views/parts/detail_view.h"

class QComboBox;

namespace holos::gui {

class ColorLegend;
class Colors;
class ElidedLabel;
class EventReader;
struct EventRows;

/// Senders × receivers, coloured by what was sent or how long somebody waited. A click, or the arrow keys,
/// choose a receiver.
class MatrixView : public QWidget {
    Q_OBJECT
  public:
    /// Both must outlive the view.
    MatrixView(CommunicationMatrix& matrix, const Colors& colors, QWidget* parent = nullptr);

    void setQuantity(TrafficQuantity quantity);
    /// Frames the row and the column of a process; nothing: none.
    void setSelected(std::optional<algebra::ProcessId> process);
    /// Where a cell is painted.
    QRectF cellRect(int sender, int receiver) const;

  Q_SIGNALS:
    /// Somebody clicked on what this process received.
    void receiverChosen(algebra::ProcessId process);
    /// What is below the pointer, in words; empty: nothing.
    void told(const QString& text);
    /// Other values are shown.
    void updated();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    void describe();
    QPointF corner() const;
    double room() const;
    QRectF area() const;
    std::optional<QPoint> cellAt(QPointF place) const;
    QImage picture() const;
    void paintLabels(QPainter& painter) const;
    void paintSelected(QPainter& painter) const;

    CommunicationMatrix& matrix_;
    const Colors& colors_;
    std::optional<algebra::ProcessId> selected_;
};

/// Who sent what to whom, when the experiment knows. Where it is of some call paths or of some threads of a
/// process, nobody counted that: the trace is asked, in the background, when the pane is first seen.
class CommunicationPane : public DetailView {
    Q_OBJECT
  public:
    /// Both must outlive the pane.
    CommunicationPane(const algebra::Experiment& experiment, const Colors& colors, QWidget* parent = nullptr);
    ~CommunicationPane() override;

    /// The experiment's file, beside which its trace may be.
    void setFile(const QString& file) { file_ = file; }
    /// The part of the run that the experiment is of.
    void setPart(const Filter& part) { part_ = part; }
    void follow(const Focus& focus) override;
    bool isBusy() const override;
    QString asCsv() const override { return matrix_.asCsv(); }

    const CommunicationMatrix& matrix() const { return matrix_; }
    MatrixView* view() const { return view_; }
    QComboBox* quantities() const { return quantities_; }
    QString message() const;

  private:
    void chooseReceiver(algebra::ProcessId process);
    void describe();
    QString whyNothing() const;
    void readTrace();
    void take(const EventRows& answer);

    const algebra::Experiment& experiment_;
    CommunicationMatrix matrix_;
    QString file_;
    Filter part_;
    std::unique_ptr<EventReader> reader_;  ///< null: the experiment itself is shown
    QString problem_;
    MatrixView* view_;
    QComboBox* quantities_;
    ColorLegend* legend_;
    ElidedLabel* text_;
    bool seen_ = false;
};

}  // namespace holos::gui
