// SPDX-License-Identifier: BSD-3-Clause
#include "gui/metrics/metric_trial.h"

#include <utility>

#include "gui/models/background.h"

namespace holos::gui {

namespace {
constexpr int kQuiet = 250;  ///< milliseconds
}

MetricTrial::MetricTrial(ExperimentPtr experiment, QObject* parent)
    : QObject(parent), experiment_(std::move(experiment)) {
    quiet_.setSingleShot(true);
    quiet_.setInterval(kQuiet);
    connect(&quiet_, &QTimer::timeout, this, &MetricTrial::tryNext);
}

void MetricTrial::setDraft(const MetricDraft& draft) {
    next_ = draft;
    quiet_.start();
}

void MetricTrial::tryNext() {
    if (isBusy_ || !next_) return;
    isBusy_ = true;
    inBackground(
        this,
        [experiment = experiment_, draft = *std::exchange(next_, std::nullopt)] {
            return tryDraft(*experiment, draft);
        },
        [this](const DraftResult& result) {
            isBusy_ = false;
            if (next_)
                quiet_.start();
            else
                Q_EMIT tried(result);
        });
}

}  // namespace holos::gui
