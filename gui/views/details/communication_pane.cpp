// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/communication_pane.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gui/models/events/event_reader.h"
#include "gui/models/timeline/calls_in_part.h"
#include "gui/models/timeline/timeline.h"
#include "gui/views/parts/assistive.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr double kLargestCell = 40.0;  ///< pixels
constexpr double kLinedFrom = 8.0;     ///< smaller cells have no lines between them
constexpr double kMatrixMargin = 8.0;
constexpr int kLegendWidth = 220;

}  // namespace

MatrixView::MatrixView(CommunicationMatrix& matrix, const Colors& colors, QWidget* parent)
    : QWidget(parent), matrix_(matrix), colors_(colors) {
    setObjectName(u"Communication"_qs);
    setAccessibleName(u"Who sends to whom"_qs);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&colors, &Colors::changed, this, qOverload<>(&QWidget::update));
}

/// Of the cells: the ranks of senders stand left of it, those of receivers above.
QPointF MatrixView::corner() const {
    return {fontMetrics().horizontalAdvance(u"from rank"_qs) + 2 * kMatrixMargin,
            2.0 * fontMetrics().height() + 4};
}

double MatrixView::room() const {
    return std::max(1.0, std::min(width() - corner().x(), height() - corner().y()) - kMatrixMargin);
}

QRectF MatrixView::area() const {
    const double side = std::min(room(), matrix_.size() * kLargestCell);
    return {corner(), QSizeF(side, side)};
}

void MatrixView::setQuantity(TrafficQuantity quantity) {
    matrix_.update(quantity, static_cast<int>(room()));
    describe();
    Q_EMIT updated();
    update();
}

void MatrixView::setSelected(std::optional<ProcessId> process) {
    selected_ = process;
    describe();
    update();
}

/// What the picture shows, in words: the whole, and what the selected process receives.
void MatrixView::describe() {
    if (matrix_.size() == 0) return setAccessibleDescription({});
    QString text =
        u"%1 between %2"_qs.arg(matrix_.textOf(matrix_.total()),
                                counted(static_cast<std::uint64_t>(matrix_.size()),
                                        u"process or group of them"_qs, u"processes or groups of them"_qs));
    if (selected_ && matrix_.cellOf(*selected_) < matrix_.size()) {
        const int receiver = matrix_.cellOf(*selected_);
        double received = 0.0;
        for (int sender = 0; sender < matrix_.size(); ++sender) received += matrix_.at(sender, receiver);
        text += u", %1 to %2"_qs.arg(matrix_.textOf(received), matrix_.namesOf(receiver));
    }
    setAccessibleDescription(text);
}

void MatrixView::resizeEvent(QResizeEvent*) {
    setQuantity(matrix_.quantity());
}

QRectF MatrixView::cellRect(int sender, int receiver) const {
    const QRectF place = area();
    const double side = place.width() / std::max(1, matrix_.size());
    return {place.left() + side * receiver, place.top() + side * sender, side, side};
}

/// Column and row.
std::optional<QPoint> MatrixView::cellAt(QPointF place) const {
    const QRectF all = area();
    if (matrix_.size() == 0 || !all.contains(place)) return std::nullopt;
    const double side = all.width() / matrix_.size();
    const auto cell = [&](double at) { return std::min(static_cast<int>(at / side), matrix_.size() - 1); };
    return QPoint(cell(place.x() - all.left()), cell(place.y() - all.top()));
}

void MatrixView::mousePressEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position())) Q_EMIT receiverChosen(matrix_.firstOf(cell->x()));
}

void MatrixView::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (!cell) return Q_EMIT told({});
    Q_EMIT told(u"%1 → %2: %3"_qs.arg(matrix_.namesOf(cell->y()), matrix_.namesOf(cell->x()),
                                      matrix_.textOf(matrix_.at(cell->y(), cell->x()))));
}

void MatrixView::keyPressEvent(QKeyEvent* event) {
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if ((!forward && !back) || matrix_.size() == 0) return QWidget::keyPressEvent(event);
    const int next = selected_ ? matrix_.cellOf(*selected_) + (forward ? 1 : -1) : 0;
    if (next >= 0 && next < matrix_.size()) Q_EMIT receiverChosen(matrix_.firstOf(next));
}

void MatrixView::leaveEvent(QEvent*) {
    Q_EMIT told({});
}

/// One pixel for each cell.
QImage MatrixView::picture() const {
    const Tones tones(colors_.on(palette()), matrix_.isSigned());
    QImage image(matrix_.size(), matrix_.size(), QImage::Format_RGB32);
    image.fill(palette().color(QPalette::AlternateBase));
    for (int sender = 0; sender < matrix_.size(); ++sender)
        for (int receiver = 0; receiver < matrix_.size(); ++receiver)
            if (matrix_.at(sender, receiver) != 0.0)
                image.setPixelColor(receiver, sender, tones.at(matrix_.share(sender, receiver)));
    return image;
}

void MatrixView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (matrix_.size() == 0) return;
    const QRectF place = area();
    painter.drawImage(place, picture());
    painter.setPen(palette().color(QPalette::Base));
    if (cellRect(0, 0).width() >= kLinedFrom)
        for (int cell = 1; cell < matrix_.size(); ++cell) {
            const QPointF at = cellRect(cell, cell).topLeft();
            painter.drawLine(QPointF(place.left(), at.y()), QPointF(place.right(), at.y()));
            painter.drawLine(QPointF(at.x(), place.top()), QPointF(at.x(), place.bottom()));
        }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(place);
    paintLabels(painter);
    paintSelected(painter);
}

/// As many ranks as there is room for.
void MatrixView::paintLabels(QPainter& painter) const {
    const QRectF place = area();
    const double side = cellRect(0, 0).width();
    const double line = fontMetrics().height();
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QPointF(place.left(), fontMetrics().ascent()), u"to rank"_qs);
    painter.drawText(QPointF(kMatrixMargin, place.top() - fontMetrics().descent()), u"from rank"_qs);
    const double wide = fontMetrics().horizontalAdvance(matrix_.labelOf(matrix_.size() - 1)) + kMatrixMargin;
    const int everyColumn = static_cast<int>(std::ceil(wide / side));
    const int everyRow = static_cast<int>(std::ceil(line / side));
    for (int cell = 0; cell < matrix_.size(); cell += everyColumn)
        painter.drawText(QRectF(place.left() + side * cell, line, std::max(side, wide), line),
                         everyColumn > 1 ? Qt::AlignLeft : Qt::AlignHCenter, matrix_.labelOf(cell));
    for (int cell = 0; cell < matrix_.size(); cell += everyRow)
        painter.drawText(
            QRectF(0, place.top() + side * cell, place.left() - kMatrixMargin, std::max(side, line)),
            Qt::AlignRight | Qt::AlignVCenter, matrix_.labelOf(cell));
}

void MatrixView::paintSelected(QPainter& painter) const {
    if (!selected_ || matrix_.cellOf(*selected_) >= matrix_.size()) return;
    const int cell = matrix_.cellOf(*selected_);
    const QRectF place = area();
    const QRectF own = cellRect(cell, cell);
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.drawRect(QRectF(place.left(), own.top(), place.width(), own.height()));
    painter.drawRect(QRectF(own.left(), place.top(), own.width(), place.height()));
}

CommunicationPane::CommunicationPane(const Experiment& experiment, const Colors& colors, QWidget* parent)
    : DetailView(parent),
      experiment_(experiment),
      matrix_(experiment),
      view_(new MatrixView(matrix_, colors, this)),
      quantities_(new QComboBox(this)),
      legend_(new ColorLegend(colors, this)),
      text_(new ElidedLabel(this)) {
    setNameOfBox(*quantities_, u"What is sent"_qs);
    for (const TrafficQuantity quantity : kTrafficQuantities) quantities_->addItem(titleOf(quantity));
    legend_->setFixedWidth(kLegendWidth);
    legend_->setToolTip({});
    text_->setContentsMargins(8, 0, 8, 0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->addWidget(quantities_);
    top->addWidget(text_, 1);
    top->addWidget(legend_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(view_, 1);
    connect(quantities_, &QComboBox::currentIndexChanged, this, [this](int at) {
        view_->setQuantity(kTrafficQuantities[static_cast<std::size_t>(std::max(at, 0))]);
    });
    connect(view_, &MatrixView::updated, this, &CommunicationPane::describe);
    connect(view_, &MatrixView::receiverChosen, this, &CommunicationPane::chooseReceiver);
    connect(view_, &MatrixView::told, this, [this](const QString& text) {
        if (text.isEmpty()) return describe();
        text_->setText(text);
    });
}

CommunicationPane::~CommunicationPane() = default;

bool CommunicationPane::isBusy() const {
    return reader_ && reader_->isBusy();
}

QString CommunicationPane::message() const {
    return text_->text();
}

QString CommunicationPane::whyNothing() const {
    if (isBusy()) return u"Messages of this part are being read from the trace …"_qs;
    if (!problem_.isEmpty()) return u"Who sent to whom in this part is not known: "_qs + problem_;
    if (reader_) return u"No message goes from one process of this part to another."_qs;
    if (isOfPart(experiment_))
        return u"This experiment is of a part of a run, of which nobody counted who sent to whom."_qs;
    return u"This experiment does not say who sent messages to whom; holos analyze finds that in a trace."_qs;
}

/// What is seen as a whole.
void CommunicationPane::describe() {
    quantities_->setEnabled(!matrix_.isEmpty());
    if (matrix_.isEmpty()) return text_->setText(whyNothing());
    if (!matrix_.knows(matrix_.quantity()))
        return text_->setText(
            u"One-sided operations are counted for whole processes only, not for this part."_qs);
    const double from = matrix_.isSigned() ? -matrix_.largest() : 0.0;
    legend_->setRange(ScaleRange{from, matrix_.largest(), matrix_.isSigned(), matrix_.format()});
    QString text = u"%1 between all processes"_qs.arg(matrix_.textOf(matrix_.total()));
    if (!part_.isEmpty()) text += u", only "_qs + filterText(part_);
    text_->setText(text);
}

/// Processes are those of the experiment, by their ranks.
void CommunicationPane::take(const EventRows& answer) {
    problem_ = answer.problem;
    std::map<std::int64_t, ProcessId> processes;
    for (std::size_t at = 0; at < experiment_.system.processes.size(); ++at)
        processes.emplace(experiment_.system.processes[at].rank, ProcessId(at));
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const auto numberIn = [](const query::Cell& cell) {
        if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
        const auto* number = std::get_if<double>(&cell);
        return number == nullptr ? 0.0 : *number;
    };
    std::vector<Traffic> traffic;
    for (const auto& row : answer.rows) {
        const auto* sender = std::get_if<std::int64_t>(&row[0]);
        const auto* receiver = std::get_if<std::int64_t>(&row[1]);
        if (sender == nullptr || receiver == nullptr || !processes.contains(*sender) ||
            !processes.contains(*receiver))
            continue;
        const Traffic pair{.sender = processes.at(*sender),
                           .receiver = processes.at(*receiver),
                           .messages = numberIn(row[2]),
                           .bytes = numberIn(row[3]),
                           .lateSender = numberIn(row[4]),
                           .lateReceiver = numberIn(row[5]),
                           .put = kUnknown,
                           .got = kUnknown};
        if (pair.messages != 0 || pair.lateSender != 0 || pair.lateReceiver != 0) traffic.push_back(pair);
    }
    matrix_.setTraffic(std::move(traffic));
    quantities_->setCurrentIndex(static_cast<int>(matrix_.firstQuantity()));
    view_->setQuantity(matrix_.firstQuantity());
    describe();
}

void CommunicationPane::readTrace() {
    constexpr std::uint64_t kMostPairs = 50'000'000;
    reader_ = std::make_unique<EventReader>(filesOfRun(experiment_, file_));
    const EventCondition statement = trafficStatement(part_, experiment_);
    problem_ = statement.problem;
    if (!problem_.isEmpty()) return;
    reader_->readRows(statement.sql, 0, kMostPairs, [this](const EventRows& answer) { take(answer); });
    connect(reader_.get(), &EventReader::busyChanged, this, &CommunicationPane::describe);
}

/// The first time it shows what there is.
void CommunicationPane::follow(const Focus& focus) {
    if (!seen_ && matrix_.isEmpty() && isOfPart(experiment_) && !part_.isEmpty()) readTrace();
    if (!seen_) quantities_->setCurrentIndex(static_cast<int>(matrix_.firstQuantity()));
    seen_ = true;
    matrix_.setDigits(focus.digits);
    describe();
    view_->setSelected(focus.location ? std::optional(experiment_.system[*focus.location].process)
                                      : std::nullopt);
}

void CommunicationPane::chooseReceiver(ProcessId process) {
    const auto locations = locationsOf(experiment_.system, process);
    if (!locations.empty()) Q_EMIT locationWanted(locations.front());
}

}  // namespace holos::gui
