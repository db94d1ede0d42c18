// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/flame/flame_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plain_text.h"
#include "gui/views/parts/assistive.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

using algebra::CallPathId;

namespace {

constexpr int kLeastForName = 24;  ///< pixels
constexpr int kNameEdge = 3;
constexpr double kPale = 0.25;  ///< of a colour that is not looked for

/// Black or white, whichever can be read on this colour.
QColor readableOn(const QColor& color) {
    return qGray(color.rgb()) > 140 ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace

FlameView::FlameView(FlameModel& model, const Colors& colors, QWidget* parent)
    : QWidget(parent), model_(model), colors_(colors) {
    setObjectName(u"Flame graph"_qs);
    setAccessibleName(u"Flame graph"_qs);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFocusPolicy(Qt::StrongFocus);
    connect(&colors, &Colors::changed, this, qOverload<>(&QWidget::update));
}

void FlameView::setColors(FlameColors colors) {
    meaning_ = colors;
    update();
}

void FlameView::follow(const std::vector<CallPathId>& chosen) {
    chosen_ = chosen;
    marked_ = chosen;
    std::ranges::sort(marked_);
    searching_ = !model_.foundText().isEmpty();
    setMinimumHeight(model_.graph().rows() * rowHeight());
    updateGeometry();
    describe();
    update();
}

void FlameView::describe() {
    const auto now = current();
    setAccessibleDescription(!model_.reason().isEmpty() ? model_.reason()
                             : now                      ? model_.textOf(*now, meaning_)
                                                        : u"No call path is selected"_qs);
}

void FlameView::zoom(std::optional<CallPathId> top) {
    model_.zoom(top);
    follow(chosen_);
    Q_EMIT zoomed();
}

/// By one step: to what calls the one that takes the whole width.
void FlameView::zoomOut() {
    const auto top = model_.graph().top();
    zoom(top ? model_.parentOf(*top) : std::nullopt);
}

int FlameView::rowHeight() const {
    return fontMetrics().height() + 4;
}

QSize FlameView::sizeHint() const {
    return {200, std::max(1, model_.graph().rows()) * rowHeight()};
}

QRect FlameView::boxRect(CallPathId path) const {
    if (!model_.graph().boxOf(path)) return {};
    const int row = model_.graph().rowOf(path);
    for (const FlameGraph::Piece& piece : model_.graph().pieces(row, width()))
        if (piece.path == path) return {piece.left, row * rowHeight(), piece.right - piece.left, rowHeight()};
    return {};
}

std::optional<CallPathId> FlameView::at(QPoint place) const {
    if (place.y() < 0 || width() == 0) return std::nullopt;
    return model_.graph().at(place.y() / rowHeight(), (place.x() + 0.5) / width());
}

std::optional<CallPathId> FlameView::current() const {
    return chosen_.empty() || !model_.graph().boxOf(chosen_.front()) ? std::nullopt
                                                                     : std::optional(chosen_.front());
}

void FlameView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    if (const QString reason = model_.reason(); !reason.isEmpty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, reason);
        return;
    }
    const int last = std::min(model_.graph().rows() - 1, event->rect().bottom() / rowHeight());
    const Tones tones(colors_.on(palette()), model_.range(meaning_).diverging);
    for (int row = std::max(0, event->rect().top() / rowHeight()); row <= last; ++row)
        for (const FlameGraph::Piece& piece : model_.graph().pieces(row, width()))
            paintPiece(painter, piece, row, colorOf(piece.path, tones));
}

QColor FlameView::colorOf(CallPathId path, const Tones& tones) const {
    if (meaning_ == FlameColors::Folders) return folderColor(model_.folderOf(path), palette());
    const double share = model_.share(path, meaning_);
    if (std::isnan(share)) return palette().color(QPalette::AlternateBase);
    return tones.at(share);
}

void FlameView::paintPiece(QPainter& painter, const FlameGraph::Piece& piece, int row,
                           const QColor& full) const {
    const QColor base = palette().color(QPalette::Base);
    const auto& graph = model_.graph();
    const bool above = graph.top() && row < graph.rowOf(*graph.top());
    const bool pale = above || (searching_ && !model_.isFound(piece.path));
    const QColor color = pale ? mixed(base, full, kPale) : full;
    const QRect box(piece.left, row * rowHeight(), piece.right - piece.left, rowHeight());
    painter.fillRect(box, color);
    // A line between boxes; narrow ones would be nothing but lines.
    const QColor edge = mixed(color, palette().color(QPalette::Text), 0.25);
    painter.fillRect(box.left(), box.bottom(), box.width(), 1, edge);
    if (box.width() > 2) painter.fillRect(box.right(), box.top(), 1, box.height(), edge);
    if (box.width() >= kLeastForName) {
        painter.setPen(readableOn(color));
        const QRect text = box.adjusted(kNameEdge, 0, -kNameEdge, -1);
        painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                         fontMetrics().elidedText(model_.nameOf(piece.path), Qt::ElideRight, text.width()));
    }
    if (!std::ranges::binary_search(marked_, piece.path)) return;
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(1, 1, -1, -1));
}

void FlameView::mousePressEvent(QMouseEvent* event) {
    if (const auto path = at(event->pos())) Q_EMIT callPathChosen(*path);
}

void FlameView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto path = at(event->pos());
    if (path) zoom(path == model_.graph().top() ? std::nullopt : path);
}

/// Up to the caller, down to the widest of what is called, to the neighbours in the row.
std::optional<CallPathId> FlameView::stepFrom(CallPathId path, int key) const {
    if (key == Qt::Key_Up) return model_.parentOf(path);
    if (key == Qt::Key_Down) return model_.graph().widestBelow(path);
    return model_.graph().beside(path, key == Qt::Key_Right ? 1 : -1);
}

void FlameView::keyPressEvent(QKeyEvent* event) {
    const auto now = current();
    switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Left:
        case Qt::Key_Right: {
            const auto next = now ? stepFrom(*now, event->key()) : model_.graph().at(0, 0.0);
            if (next) Q_EMIT callPathChosen(*next);
            return;
        }
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Plus:
            if (now) zoom(now);
            return;
        case Qt::Key_Minus:
        case Qt::Key_Backspace:
            return zoomOut();
        case Qt::Key_Home:
            return zoom(std::nullopt);
        default:
            QWidget::keyPressEvent(event);
    }
}

bool FlameView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto path = at(help->pos());
    QToolTip::showText(help->globalPos(), path ? asToolTip(model_.textOf(*path, meaning_)) : QString(), this);
    return true;
}

namespace {

enum Part { WholeSystem, SelectedPart };
constexpr int kBoxLetters = 9;
constexpr int kLeastFlameBox = 60;
constexpr int kSearchLetters = 7;

QComboBox* makeBox(const QString& name, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->setFocusPolicy(Qt::NoFocus);
    setNameOfBox(*box, name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(kBoxLetters);
    box->setMinimumWidth(kLeastFlameBox);
    return box;
}

}  // namespace

FlamePage::FlamePage(CallModel& calls, ValueCache& cache, const Colors& colors, QWidget* parent)
    : QWidget(parent),
      calls_(calls),
      model_(calls, cache),
      colorBox_(makeBox(u"What colours mean"_qs, this)),
      partBox_(makeBox(u"Of which part of the system"_qs, this)),
      search_(new QLineEdit(this)),
      view_(new FlameView(model_, colors, this)),
      scroll_(new QScrollArea(this)),
      scale_(new ColorLegend(colors, this)),
      folders_(new FolderLegend(this)),
      exact_(new ElidedLabel(this)) {
    setObjectName(u"Flame graph page"_qs);
    scroll_->setWidget(view_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    exact_->setContentsMargins(8, 2, 8, 5);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildHead();
    layout->addWidget(scroll_, 1);
    layout->addWidget(scale_);
    layout->addWidget(folders_);
    layout->addWidget(exact_);
    setOthers({});
    connect(view_, &FlameView::callPathChosen, this, &FlamePage::callPathChosen);
    connect(view_, &FlameView::zoomed, this, &FlamePage::updateFoot);
    connect(colorBox_, &QComboBox::currentIndexChanged, this, &FlamePage::chooseColors);
    connect(partBox_, &QComboBox::currentIndexChanged, this, &FlamePage::partChanged);
    connect(search_, &QLineEdit::textChanged, this, &FlamePage::search);
}

/// The view paints with the model until it is gone.
FlamePage::~FlamePage() {
    delete scroll_;
}

void FlamePage::buildHead() {
    partBox_->addItems({u"Whole system"_qs, u"Selected part"_qs});
    search_->setPlaceholderText(u"Find"_qs);
    search_->setClearButtonEnabled(true);
    search_->setAccessibleName(u"Find in the flame graph"_qs);
    search_->setToolTip(u"Paint names pale that do not match this regular expression"_qs);
    search_->setMaximumWidth(fontMetrics().horizontalAdvance(u"M"_qs) * kSearchLetters);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 4, 6, 4);
    head->setSpacing(6);
    head->addWidget(colorBox_, 1);
    head->addWidget(partBox_, 1);
    head->addWidget(search_);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
}

/// Each other experiment is a way to colour.
void FlamePage::setOthers(const std::vector<NamedExperiment>& others) {
    const QString before = colorBox_->currentText();
    others_ = others;
    const QSignalBlocker blocker(colorBox_);
    colorBox_->clear();
    for (const MenuChoice<FlameColors>& choice : flameColors())
        if (choice.value != FlameColors::Difference) colorBox_->addItem(QString::fromUtf8(choice.title));
    for (const NamedExperiment& other : others_) colorBox_->addItem(u"Difference to %1"_qs.arg(other.name));
    colorBox_->setCurrentIndex(std::max(0, colorBox_->findText(before)));
    chooseColors();
}

FlameColors FlamePage::colors() const {
    return static_cast<FlameColors>(
        std::clamp(colorBox_->currentIndex(), 0, static_cast<int>(FlameColors::Difference)));
}

void FlamePage::setColors(FlameColors colors) {
    if (static_cast<int>(colors) < colorBox_->count()) colorBox_->setCurrentIndex(static_cast<int>(colors));
}

void FlamePage::chooseColors() {
    const int other = colorBox_->currentIndex() - static_cast<int>(FlameColors::Difference);
    model_.setOther(other < 0 ? NamedExperiment() : others_[static_cast<std::size_t>(other)]);
    if (const Counterpart* there = model_.other())
        connect(&there->cache(), &ValueCache::arrived, this, &FlamePage::partChanged, Qt::UniqueConnection);
    view_->setColors(colors());
    updateFoot();
}

void FlamePage::follow(const Context& context, const Selection& selection) {
    algebra::ChosenLocations locations = context.locations;
    if (locations.isAll() && partBox_->currentIndex() == SelectedPart) locations = selection.locations();
    model_.setDigits(selection.digits());
    model_.setContext(context.metric, std::move(locations));
    chosen_.clear();
    for (const algebra::CallPathChoice& choice : selection.callPaths().given())
        chosen_.push_back(choice.path);
    if (wanted_) model_.zoom(std::exchange(wanted_, std::nullopt));
    showChosen();
}

void FlamePage::zoomWhenShown(CallPathId path) {
    wanted_ = path;
    Q_EMIT partChanged();
}

void FlamePage::search(const QString& text) {
    calls_.find(text);
    showChosen();
}

/// What is selected comes into sight.
void FlamePage::showChosen() {
    view_->follow(chosen_);
    updateFoot();
    if (chosen_.empty()) return;
    const QRect box = view_->boxRect(chosen_.front());
    if (!box.isEmpty()) scroll_->ensureVisible(box.center().x(), box.center().y(), 0, 2 * box.height());
}

void FlamePage::updateFoot() {
    const bool byFolder = colors() == FlameColors::Folders;
    scale_->setVisible(!byFolder);
    folders_->setVisible(byFolder);
    if (byFolder)
        folders_->setFolders(model_.folders());
    else
        scale_->setRange(model_.range(colors()));
    QStringList parts;
    if (!chosen_.empty() && model_.reason().isEmpty())
        parts = model_.textOf(chosen_.front(), colors()).split(u'\n').mid(1);
    if (const QString found = model_.foundText(); !found.isEmpty()) parts << found;
    exact_->setText(parts.join(u"  ·  "_qs));
}

}  // namespace holos::gui
