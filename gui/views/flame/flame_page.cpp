// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/flame/flame_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <algorithm>
#include <utility>

#include "gui/views/flame/flame_view.h"
#include "gui/views/parts/box_name.h"
#include "gui/views/parts/color_legend.h"
#include "gui/views/parts/elided_label.h"
#include "gui/views/parts/folder_colors.h"

namespace holos::gui {

using algebra::CallPathId;

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
    for (const NamedChoice<FlameColors>& choice : flameColors())
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
