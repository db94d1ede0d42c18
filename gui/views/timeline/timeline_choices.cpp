// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_choices.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "gui/models/timeline/timeline_counter.h"
#include "gui/views/parts/assistive.h"

namespace holos::gui {

namespace {
constexpr int kLeastBox = 70;
constexpr int kMostLettersOfBox = 24;
constexpr int kMarginOfList = 30;  ///< of a list: its scroll bar
}  // namespace

TimelineChoices::TimelineChoices(const TimelineNames& names, QWidget* parent)
    : QWidget(parent), names_(names), grouping_(new QComboBox(this)), colors_(new QComboBox(this)) {
    grouping_->addItems({u"Threads"_qs, u"Processes"_qs, u"Nodes"_qs});
    setNameOfBox(*grouping_, u"Lines"_qs);
    grouping_->setToolTip(u"What the lines are; a click on the name of a group folds it"_qs);
    colors_->addItems({u"Calls"_qs, u"Heat map: lost"_qs, u"Heat map: MPI"_qs,
                       u"Heat map: OpenMP synchronization"_qs, u"Heat map: program"_qs});
    colors_->setObjectName(u"Timeline colours"_qs);
    setNameOfBox(*colors_, u"Colours"_qs);
    colors_->setToolTip(u"What colours mean; in a heat map, the share of each moment"_qs);
    // Names of metrics are long: they may be cut in the box, but not in its list.
    colors_->setMaximumWidth(fontMetrics().averageCharWidth() * kMostLettersOfBox);
    fitList();
    for (QComboBox* box : {grouping_, colors_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumWidth(kLeastBox);
    }
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(8);
    across->addWidget(grouping_);
    across->addWidget(colors_);
    buildMarks();
    connect(grouping_, &QComboBox::activated, this, [this] { Q_EMIT groupingChosen(grouping()); });
    connect(colors_, &QComboBox::activated, this,
            [this] { Q_EMIT colorsChosen(colors(), metricOfColors()); });
}

void TimelineChoices::buildMarks() {
    auto* button = new QToolButton(this);
    button->setText(u"Marks"_qs);
    button->setAccessibleName(u"Marks"_qs);
    button->setToolTip(u"What is drawn over the lines"_qs);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    const auto add = [&](const QString& text, TimelineMark mark) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, mark] { Q_EMIT markToggled(mark); });
        connect(menu, &QMenu::aboutToShow, action, [=, this] { action->setChecked(marks_.*mark); });
    };
    add(u"Waits, and who is waited for"_qs, &TimelineMarks::waits);
    add(u"Collective operations"_qs, &TimelineMarks::operations);
    add(u"Critical path"_qs, &TimelineMarks::path);
    add(u"Messages"_qs, &TimelineMarks::messages);
    button->setMenu(menu);
    layout()->addWidget(button);
}

TimelineGrouping TimelineChoices::grouping() const {
    return static_cast<TimelineGrouping>(grouping_->currentIndex());
}

void TimelineChoices::setGrouping(TimelineGrouping grouping) {
    grouping_->setCurrentIndex(static_cast<int>(grouping));
}

std::string TimelineChoices::metricOfColors() const {
    return colors_->currentData().toString().toStdString();
}

TimelineColors TimelineChoices::colors() const {
    return metricOfColors().empty() ? static_cast<TimelineColors>(colors_->currentIndex())
                                    : TimelineColors::Metric;
}

void TimelineChoices::setColors(TimelineColors colors, const std::string& metric) {
    const int at =
        metric.empty() ? static_cast<int>(colors) : colors_->findData(QString::fromStdString(metric));
    colors_->setCurrentIndex(std::max(0, at));
}

void TimelineChoices::offer(const std::string& uniqueName) {
    const QString name = QString::fromStdString(uniqueName);
    if (!name.isEmpty() && colors_->findData(name) < 0)
        colors_->addItem(u"Heat map: "_qs + names_.of(uniqueName), name);
    fitList();
}

void TimelineChoices::fitList() {
    colors_->view()->setMinimumWidth(colors_->view()->sizeHintForColumn(0) + kMarginOfList);
}

void TimelineChoices::offerAllOf(const DefinitionsPtr& definitions, const CoursePtr& course) {
    if (definitions)
        for (const trace::MetricMember& member : definitions->metricMembers)
            offer(kCounterPrefix + member.name);
    if (!course) return;
    const analyzer::timeline::RowId all{analyzer::timeline::rowLevelsOf(course->locations()) - 1, 0};
    for (std::uint32_t name = 0; name < course->names().size(); ++name)
        if (!course->sums(name, all, course->grid().levels() - 1).empty()) offer(course->names()[name]);
}

}  // namespace holos::gui
