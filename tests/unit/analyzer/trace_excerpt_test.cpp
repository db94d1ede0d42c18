// SPDX-License-Identifier: BSD-3-Clause
// What a timeline shows of a part of a trace.
#include <gtest/gtest.h>

#include "analyzer/trace/definitions_reader.h"
#include "analyzer/trace/excerpt.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

namespace trace = analyzer::trace;
using trace::LocationId;
using trace::Ticks;

/// Rank 0 sends at 3 and 13; rank 1 receives at 7 and 16, in `main/work` from 8 to 12.
class TraceExcerpt : public ::testing::Test {
  protected:
    TraceExcerpt() {
        TraceBuilder builder(2);
        builder.on(0).enter(0, "main").send(2, 4, {.peer = 1}).send(12, 14, {.peer = 1}).leave(20);
        builder.on(1).enter(0, "main").recv(1, 7, {.peer = 0}).enter(8, "work").leave(12);
        builder.on(1).recv(13, 16, {.peer = 0}).leave(20);
        anchor_ = builder.write(directory_.path());
        definitions_ = trace::readDefinitions(anchor_);
    }

    trace::Excerpt read(std::size_t location, Ticks from, Ticks to, unsigned bins, std::size_t limit = 100) {
        return trace::readExcerpt(anchor_, definitions_, LocationId(location), {from, to, bins, limit, limit},
                                  stopped_);
    }
    std::string names(const trace::Excerpt& excerpt) const {
        std::string text;
        for (const auto& bin : excerpt.bins)
            text += (bin.region ? definitions_[*bin.region].name : "-") + ' ';
        return text;
    }

    TemporaryDirectory directory_;
    std::filesystem::path anchor_;
    trace::Definitions definitions_;
    std::atomic<bool> stopped_ = false;
};

TEST_F(TraceExcerpt, wholeRun_hasTheLengthOfTheClock) {
    EXPECT_EQ(definitions_.clock.length, 20U);
}

TEST_F(TraceExcerpt, bins_nameTheInnermostRegionWithMostTime) {
    EXPECT_EQ(names(read(1, 0, 20, 5)), "MPI_Recv MPI_Recv work MPI_Recv main ");
    EXPECT_EQ(names(read(1, 8, 12, 2)), "work work ");
}

/// Of the time between two events, the last part: it is known how long, and before which event.
TEST(TraceExcerptOfStarvedThread, timesWithoutAProcessor_endWithTheEventAfterThem) {
    TemporaryDirectory directory;
    TraceBuilder builder(1);
    builder.on(0)
        .enter(0, "main")
        .enterStarved(5, "work", 2)
        .leaveStarved(10, 30)
        .call(12, 13, "f")
        .releaseStarved(17, 0, 1, 3)
        .leave(20);
    const auto anchor = builder.write(directory.path());
    const auto definitions = trace::readDefinitions(anchor);
    const std::atomic<bool> stopped = false;
    const auto shortagesIn = [&](Ticks from, Ticks to) {
        return trace::readExcerpt(anchor, definitions, LocationId(0), {from, to, 10, 100, 100}, stopped)
            .shortages;
    };
    const auto all = shortagesIn(0, 20);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].begin, 3);
    EXPECT_EQ(all[0].end, 5);
    EXPECT_EQ(all[1].begin, 5);  // no more than there was between the events
    EXPECT_EQ(all[1].end, 10);
    EXPECT_EQ(all[2].begin, 14);
    EXPECT_EQ(all[2].end, 17);
    EXPECT_EQ(shortagesIn(18, 20).size(), 0U);
}

TEST_F(TraceExcerpt, bins_tellTheShareOfThatRegion) {
    const trace::Excerpt excerpt = read(1, 0, 20, 5);  // main until 1, then MPI_Recv until 7
    EXPECT_DOUBLE_EQ(excerpt.bins[0].share, 0.75);
    EXPECT_DOUBLE_EQ(excerpt.bins[2].share, 1.0);
}

/// Short calls between which the program computes: nothing encloses them.
TEST(TraceExcerptOutsideOfRegions, bins_countTheProgramsOwnTime) {
    const TemporaryDirectory directory;
    TraceBuilder builder(2);
    builder.on(0).send(10, 11, {.peer = 1}).send(15, 16, {.peer = 1}).call(20, 28, "work");
    builder.on(1).recv(0, 11, {.peer = 0}).recv(12, 40, {.peer = 0});
    const auto anchor = builder.write(directory.path());
    const auto definitions = trace::readDefinitions(anchor);
    const auto excerpt = trace::readExcerpt(anchor, definitions, LocationId(0), {0, 40, 4, 0, 0}, false);
    ASSERT_EQ(excerpt.bins.size(), 4U);
    EXPECT_EQ(excerpt.bins[0].share, 0.0) << "the location has not begun";
    EXPECT_FALSE(excerpt.bins[1].region.has_value());
    EXPECT_DOUBLE_EQ(excerpt.bins[1].share, 0.8);
    ASSERT_TRUE(excerpt.bins[2].region.has_value());
    EXPECT_EQ(definitions[*excerpt.bins[2].region].name, "work");
    EXPECT_DOUBLE_EQ(excerpt.bins[2].share, 0.8);
    EXPECT_EQ(excerpt.bins[3].share, 0.0) << "the location has ended";
}

TEST_F(TraceExcerpt, spans_areThoseThatTouchTheWindow) {
    const trace::Excerpt excerpt = read(1, 9, 13, 4);
    ASSERT_EQ(excerpt.spans.size(), 3U);  // work, MPI_Recv cut at the end, main
    EXPECT_EQ(definitions_[excerpt.spans[0].region].name, "work");
    EXPECT_EQ(excerpt.spans[0].begin, 8);
    EXPECT_EQ(excerpt.spans[0].end, 12);
    EXPECT_EQ(excerpt.spans[0].depth, 1U);
    EXPECT_EQ(definitions_[excerpt.spans[1].region].name, "MPI_Recv");
    EXPECT_EQ(excerpt.spans[1].end, 13);
    EXPECT_EQ(excerpt.spans[2].begin, 0);
    EXPECT_EQ(excerpt.spans[2].depth, 0U);
    EXPECT_EQ(excerpt.events, 2U);
    EXPECT_EQ(excerpt.depth, 2U);
}

TEST_F(TraceExcerpt, moreSpansThanTheLimit_leaveTheBins) {
    const trace::Excerpt excerpt = read(1, 0, 20, 5, 2);
    EXPECT_TRUE(excerpt.tooManySpans);
    EXPECT_TRUE(excerpt.spans.empty());
    EXPECT_EQ(names(excerpt), "MPI_Recv MPI_Recv work MPI_Recv main ");
}

TEST_F(TraceExcerpt, messages_arePairedInTheirOrder) {
    const trace::Excerpt first = read(0, 0, 20, 5);
    const trace::Excerpt second = read(1, 0, 20, 5);
    const std::vector<trace::LocationMessages> both{{LocationId(0), first.messages},
                                                    {LocationId(1), second.messages}};
    const auto all = trace::pairMessages(definitions_, both, 0);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].sender, LocationId(0));
    EXPECT_EQ(all[0].receiver, LocationId(1));
    EXPECT_LT(all[0].sent, all[0].received);
    EXPECT_LE(all[0].received, 7);
    EXPECT_GE(all[1].sent, 12);
    EXPECT_EQ(trace::pairMessages(definitions_, both, 10).size(), 1U);
    EXPECT_TRUE(trace::pairMessages(definitions_, {both[0]}, 0).empty());
}

TEST_F(TraceExcerpt, checkpoint_readsFromThereOn) {
    // The fifth event of rank 1 is its leave of `work`: begun are `main` and `work`.
    const trace::RegionId main = read(1, 0, 20, 20).bins[0].region.value();
    const trace::RegionId work = read(1, 8, 12, 1).bins[0].region.value();
    const trace::Checkpoint start{5, 8, {{0, main}, {8, work}}};
    const trace::Excerpt whole = read(1, 9, 18, 9);
    const trace::Excerpt rest =
        trace::readExcerpt(anchor_, definitions_, LocationId(1), {9, 18, 9, 100, 100}, stopped_, start);
    EXPECT_EQ(names(rest), names(whole));
    ASSERT_EQ(rest.spans.size(), whole.spans.size());
    for (std::size_t at = 0; at < rest.spans.size(); ++at) {
        EXPECT_EQ(rest.spans[at].begin, whole.spans[at].begin);
        EXPECT_EQ(rest.spans[at].end, whole.spans[at].end);
        EXPECT_EQ(rest.spans[at].region, whole.spans[at].region);
        EXPECT_EQ(rest.spans[at].depth, whole.spans[at].depth);
    }
}

TEST_F(TraceExcerpt, checkpointBehindTheEnd_isSaid) {
    const trace::Excerpt nothing = trace::readExcerpt(anchor_, definitions_, LocationId(1),
                                                      {9, 18, 9, 100, 100}, stopped_, {5000, 8, {}});
    EXPECT_TRUE(nothing.problem.has_value());
}

TEST_F(TraceExcerpt, stopped_readsNothingMore) {
    stopped_ = true;
    EXPECT_EQ(read(1, 0, 20, 5).events, 0U);
}

TEST_F(TraceExcerpt, missingFile_isSaid) {
    std::filesystem::remove(eventFile(anchor_, 1));
    const trace::Excerpt excerpt = read(1, 0, 20, 5);
    ASSERT_TRUE(excerpt.problem.has_value());
    EXPECT_NE(excerpt.problem->find("missing"), std::string::npos);
}

}  // namespace
}  // namespace holos::testing
