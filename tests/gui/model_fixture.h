// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/call_model.h"
#include "gui/models/metric_model.h"
#include "gui/models/system_model.h"
#include "tests/gui/sample_experiment.h"

namespace holos::gui::testing {

inline constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

/// The three panes' models over the sample experiment.
class Models : public ::testing::Test {
  protected:
    ValueCache cache{std::make_shared<const algebra::Experiment>(sampleExperiment())};
    MetricModel metrics{cache};
    CallModel calls{cache};
    SystemModel system{cache};

    void SetUp() override {
        calls.setContext({}, kAll);
        system.setContext({}, kAll);
    }
    algebra::MetricChoice chosen(const char* metric,
                                 algebra::Extent extent = algebra::Extent::Inclusive) const {
        return {*cache.experiment().findMetric(metric), extent};
    }
};

inline QModelIndex named(const QAbstractItemModel& model, const QString& name,
                         const QModelIndex& below = {}) {
    for (int row = 0; row < model.rowCount(below); ++row) {
        const QModelIndex at = model.index(row, 0, below);
        if (at.data() == name) return at;
        if (const QModelIndex found = named(model, name, at); found.isValid()) return found;
    }
    return {};
}

inline double value(const QAbstractItemModel& model, const QString& name) {
    return named(model, name).data(TreeModel::ValueRole).toDouble();
}

inline QString text(const QAbstractItemModel& model, const QString& name) {
    return named(model, name).siblingAtColumn(TreeModel::ValueColumn).data().toString();
}

inline void expand(TreeModel& model, const QString& name) {
    model.setExpanded(named(model, name), true);
}

}  // namespace holos::gui::testing
