// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/prefetch.h"

#include "algebra/model/metric_values.h"

namespace holos::gui {

using namespace algebra;

namespace {

/// Beyond this, values wait until they are asked for.
constexpr std::size_t kLargestPrefetch = std::size_t{4} << 30;

}  // namespace

Prefetch::Prefetch(ValueCache& cache) : cache_(cache), thread_(QThread::create([this] { run(); })) {
    thread_->start(QThread::LowPriority);
}

Prefetch::~Prefetch() {
    stopped_ = true;
    thread_->wait();
}

void Prefetch::run() {
    const Experiment& experiment = cache_.experiment();
    const std::size_t table =
        experiment.callTree.size() * experiment.system.locations.size() * sizeof(double);
    std::size_t read = 0;
    for (const MetricId metric : experiment.metrics.ids()) {
        if (!isAnsweredQuickly(experiment, {metric}, {})) read += table;
        if (stopped_ || read > kLargestPrefetch) return;
        if (experiment.metrics[metric].ghost) continue;
        cache_.metric({metric, Extent::Inclusive});
        if (!experiment.metrics.children(metric).empty()) cache_.metric({metric, Extent::Exclusive});
    }
}

}  // namespace holos::gui
