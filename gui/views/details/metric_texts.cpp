// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/metric_texts.h"

#include <QTabBar>

#include "gui/views/details/description_pane.h"
#include "gui/views/details/findings_pane.h"

namespace holos::gui {

namespace {
constexpr int kLeastTexts = 20;  ///< in a small window the panes need the room more
}

MetricTexts::MetricTexts(const ExperimentPtr& experiment, const Colors& colors,
                         const algebra::MetricGuide& guide, QWidget* parent)
    : QTabWidget(parent), description_(new DescriptionPane(colors, guide, this)) {
    setDocumentMode(true);
    setMinimumHeight(kLeastTexts);
    setAccessibleName(u"Texts"_qs);
    addTab(description_, u"Description"_qs);
    tabBar()->setAutoHide(true);
    if (!experiment->files.contains(algebra::kSpecificationFile)) return;
    findings_ = new FindingsPane(experiment, this);
    addTab(findings_, u"Findings"_qs);
    connect(findings_, &FindingsPane::callPathActivated, this, &MetricTexts::callPathWanted);
}

void MetricTexts::describe(ValueCache& cache, algebra::MetricId metric) {
    description_->describe(cache.experiment().metrics[metric], cache.reasonOf(metric),
                           cache.incompletenessOf(metric));
}

void MetricTexts::setWholeNames(bool whole) {
    if (findings_ != nullptr) findings_->setWholeNames(whole);
}

}  // namespace holos::gui
