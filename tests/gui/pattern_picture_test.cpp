// SPDX-License-Identifier: BSD-3-Clause
// Pictures of patterns, and what else the description of a metric says.
#include "gui/models/pattern_picture.h"

#include <QTextDocument>
#include <set>
#include <sstream>
#include <string>

#include "gui/views/colors.h"
#include "gui/views/description_pane.h"
#include "gui/views/pattern_drawing.h"
#include "tests/gui/sample_experiment.h"

using namespace holos::gui;
using namespace holos::algebra;

namespace {
constexpr std::size_t kSteps = 20;
}

TEST(PatternPictures, have_lanes_of_equal_length_and_arrows_inside) {
    for (const PatternPicture& picture : patternPictures()) {
        bool waits = false;
        for (const PatternLane& lane : picture.lanes) {
            const std::string time(lane.time);
            EXPECT_EQ(time.size(), kSteps) << picture.metrics << ": " << lane.who;
            EXPECT_EQ(time.find_first_not_of("-d=# "), std::string::npos) << picture.metrics;
            waits = waits || time.find('#') != std::string::npos;
        }
        EXPECT_TRUE(waits) << picture.metrics;
        for (const PatternArrow& arrow : picture.arrows)
            for (const auto& [lane, step] :
                 {std::pair{arrow.fromLane, arrow.from}, {arrow.toLane, arrow.to}}) {
                EXPECT_LT(static_cast<std::size_t>(lane), picture.lanes.size()) << picture.metrics;
                EXPECT_LE(static_cast<std::size_t>(step), kSteps) << picture.metrics;
            }
    }
}

TEST(PatternPictures, each_metric_has_one) {
    std::set<std::string> names;
    for (const PatternPicture& picture : patternPictures()) {
        std::istringstream words{std::string(picture.metrics)};
        for (std::string name; words >> name;) {
            EXPECT_TRUE(names.insert(name).second) << name;
            EXPECT_EQ(pictureOf(name), &picture);
        }
    }
    EXPECT_EQ(pictureOf("delay_latesender_longterm"), pictureOf("delay_latesender"));
    EXPECT_EQ(pictureOf("time"), nullptr);
    EXPECT_EQ(pictureOf(""), nullptr);
    EXPECT_EQ(pictureOf("mpi_latesender mpi_wait_propagating_ls"), nullptr);
}

TEST(DescriptionPane, shows_the_picture_of_the_pattern_in_its_text) {
    Colors colors;
    DescriptionPane pane(colors);
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
