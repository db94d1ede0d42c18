// SPDX-License-Identifier: BSD-3-Clause
#include "gui/live/live_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/live/perfometer.h"
#include "gui/views/parts/assistive.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

LiveBar::LiveBar(QWidget* parent)
    : QFrame(parent),
      text_(new ElidedLabel(this)),
      metric_(new QComboBox(this)),
      change_(new QCheckBox(u"Change since the last picture"_qs, this)),
      pause_(new QPushButton(u"Pause"_qs, this)),
      keep_(new QPushButton(u"Keep…"_qs, this)),
      perfometer_(new Perfometer(this)) {
    setObjectName(u"Live"_qs);
    setNameOfBox(*metric_, u"Metric of the plot"_qs);
    metric_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    metric_->setToolTip(u"What the plot shows of each process"_qs);
    change_->setToolTip(u"The panes show only what happened between the last two analyses"_qs);
    pause_->setCheckable(true);
    pause_->setToolTip(u"What is shown stays as it is; the program goes on"_qs);
    keep_->setToolTip(u"Write what the panes show to a file"_qs);
    auto* end = new QToolButton(this);
    end->setText(u"×"_qs);
    end->setAutoRaise(true);
    end->setAccessibleName(u"Stop watching"_qs);
    end->setToolTip(u"Stop watching; the last analysis stays open"_qs);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 3, 6, 3);
    top->addWidget(text_, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{metric_, change_, pause_, keep_, end})
        top->addWidget(widget);
    auto* down = new QVBoxLayout(this);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addLayout(top);
    down->addWidget(perfometer_);
    connect(metric_, &QComboBox::currentIndexChanged, this, [this](int at) {
        if (at >= 0) perfometer_->setMetric(static_cast<std::size_t>(at));
    });
    connect(change_, &QCheckBox::toggled, this, &LiveBar::changeWanted);
    connect(pause_, &QPushButton::toggled, this, &LiveBar::pauseWanted);
    connect(keep_, &QPushButton::clicked, this, &LiveBar::keepWanted);
    connect(end, &QToolButton::clicked, this, &LiveBar::endWanted);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void LiveBar::start(const QString& name) {
    name_ = name;
    isOver_ = false;
    setPlotVisible(true);
    summary_.clear();
    state_ = u"the panes open after the first analysis"_qs;
    perfometer_->clear();
    metric_->clear();
    for (QAbstractButton* button : std::initializer_list<QAbstractButton*>{change_, pause_}) {
        button->setChecked(false);
        button->setEnabled(true);
    }
    setKeepable(false, false);
    showText();
}

void LiveBar::add(const LiveLook& look) {
    listMetrics(look.metrics);
    perfometer_->add(look);
    summary_ = look.summary;
    showText();
}

/// Counters come when a process has some.
void LiveBar::listMetrics(const std::vector<watch::Metric>& metrics) {
    const bool isFirst = metric_->count() == 0;
    for (std::size_t at = static_cast<std::size_t>(metric_->count()); at < metrics.size(); ++at)
        metric_->addItem(u"%1 (%2)"_qs.arg(QString::fromStdString(metrics[at].name),
                                           QString::fromStdString(metrics[at].unit)));
    if (isFirst) metric_->setCurrentIndex(static_cast<int>(watch::kMetricLost));
}

void LiveBar::setState(const QString& state) {
    state_ = state;
    showText();
}

void LiveBar::setKeepable(bool keepable, bool comparable) {
    keep_->setEnabled(keepable);
    change_->setEnabled(comparable);
}

/// A plot of nothing would look like a program that does nothing.
void LiveBar::setOver() {
    isOver_ = true;
    pause_->setEnabled(false);
    setPlotVisible(metric_->count() > 0);
    showText();
}

void LiveBar::setPlotVisible(bool visible) {
    metric_->setVisible(visible);
    perfometer_->setVisible(visible);
}

QString LiveBar::text() const {
    return text_->text();
}

void LiveBar::showText() {
    QStringList parts{name_, isOver_ ? QString() : summary_, state_};
    parts.removeAll(QString());
    text_->setText(parts.join(u"  ·  "_qs));
}

}  // namespace holos::gui
