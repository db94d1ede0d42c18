// SPDX-License-Identifier: BSD-3-Clause
// What the description of a metric says.
#include <gtest/gtest.h>

#include <QTextDocument>

#include "analyzer/metric_guide.h"
#include "gui/views/details/metric_texts.h"
#include "gui/views/parts/colors.h"
#include "tests/gui/sample_experiment.h"

using namespace holos::gui;
using namespace holos::algebra;

TEST(DescriptionPane, shows_the_picture_of_the_pattern_in_its_text) {
    Colors colors;
    DescriptionPane pane(colors, holos::analyzer::metricGuide());
    pane.resize(300, 300);
    Metric metric;
    metric.displayName = "Late Sender";
    metric.uniqueName = "mpi_latesender";
    metric.description = "Waits for a message.";
    pane.describe(metric, {}, {});
    EXPECT_TRUE(pane.document()->toRawText().contains(QChar::ObjectReplacementCharacter));
    const QImage with = pane.grab().toImage();
    metric.uniqueName = "other";
    pane.describe(metric, {}, u"without A"_qs);
    EXPECT_FALSE(pane.document()->toRawText().contains(QChar::ObjectReplacementCharacter));
    EXPECT_TRUE(pane.toPlainText().contains(u"Incomplete: without A."_qs));
    EXPECT_NE(with, pane.grab().toImage());
}
