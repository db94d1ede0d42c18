// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/options.h"

#include <gtest/gtest.h>

using namespace holos::gui;

namespace {

Options accepted(const QStringList& words) {
    const auto parsed = parseOptions(QStringList{"holos-view"} + words);
    EXPECT_TRUE(std::holds_alternative<Options>(parsed)) << words.join(' ').toStdString();
    return std::holds_alternative<Options>(parsed) ? std::get<Options>(parsed) : Options{};
}

Ending refused(const QStringList& words) {
    const auto parsed = parseOptions(QStringList{"holos-view"} + words);
    EXPECT_TRUE(std::holds_alternative<Ending>(parsed)) << words.join(' ').toStdString();
    return std::holds_alternative<Ending>(parsed) ? std::get<Ending>(parsed) : Ending{};
}

}  // namespace

TEST(Options, nothing_given_opens_an_empty_window) {
    const Options options = accepted({});
    EXPECT_TRUE(options.files.isEmpty());
    EXPECT_EQ(options.mode, ValueMode::Absolute);
}

TEST(Options, everything_given_is_understood) {
    const Options options =
        accepted({"--screenshot=a.png", "--size=640x480", "--select=Late Sender", "--expand-hottest",
                  "--mode=external", "--reference=b.cubex", "--colors=ocean", "--theme=dark",
                  "--detail=timeline", "--peak-flops=1.5e12", "--peak-bandwidth=2e11",
                  "--source-map=/old/=/new/", "--source-map=/a=/b", "--", "-a.cubex"});
    EXPECT_EQ(options.files, QStringList{"-a.cubex"});
    EXPECT_EQ(options.screenshot, "a.png");
    EXPECT_EQ(options.size, QSize(640, 480));
    EXPECT_EQ(options.metric, "Late Sender");
    EXPECT_TRUE(options.expandHottest);
    EXPECT_EQ(options.mode, ValueMode::External);
    EXPECT_EQ(options.reference, "b.cubex");
    EXPECT_EQ(options.colors, ColorMap::Ocean);
    EXPECT_EQ(options.theme, Theme::Dark);
    EXPECT_EQ(options.detail, "timeline");
    EXPECT_EQ(options.roofs.operations, 1.5e12);
    EXPECT_EQ(options.roofs.bandwidth, 2e11);
    EXPECT_EQ(options.sources, (std::vector<SourceMapping>{{"/old", "/new"}, {"/a", "/b"}}));
}

TEST(Options, help_ends_well) {
    const Ending ending = refused({"--help"});
    EXPECT_EQ(ending.code, 0);
    EXPECT_TRUE(ending.text.contains("--screenshot"));
    EXPECT_TRUE(ending.text.startsWith("Usage: holos view [options]")) << ending.text.toStdString();
    EXPECT_TRUE(ending.text.contains("Example:\n  holos view "));
}

TEST(Options, wrong_usage_is_named) {
    for (const QStringList& words : {QStringList{"--size=640", "a"}, QStringList{"--size=0x0", "a"},
                                     QStringList{"--size=99999x99999", "a"}, QStringList{"--mode=some", "a"},
                                     QStringList{"--theme=pink", "a"}, QStringList{"--mode=external", "a"},
                                     QStringList{"--reference=b", "a"}, QStringList{"--colors=pink", "a"},
                                     QStringList{"--detail=some", "a"}, QStringList{"--peak-flops=many", "a"},
                                     QStringList{"--source-map=/a", "a"}, QStringList{"--unknown", "a"},
                                     QStringList{"--screenshot=a.png"}, QStringList{"--side-by-side", "a"}}) {
        const Ending ending = refused(words);
        EXPECT_EQ(ending.code, 2);
        EXPECT_TRUE(ending.text.startsWith("holos view: ")) << ending.text.toStdString();
    }
}
