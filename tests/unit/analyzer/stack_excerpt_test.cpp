// SPDX-License-Identifier: BSD-3-Clause
// What was on the call stack of a location, from events, their calls and samples.
#include "analyzer/trace/excerpt.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "analyzer/trace/definitions_reader.h"
#include "tests/support/stack_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace trace = analyzer::trace;
using ::testing::ElementsAre;
using trace::Ticks;

/// `main` calls `solve` at line 10, which calls MPI at its lines 20 and 22, and `smooth` between.
class StackExcerpt : public ::testing::Test {
  protected:
    StackExcerpt() : builder(1) {
        main10 = stack(builder, "main", 10);
        solve20 = stack(builder, "solve", 20, main10);
        solve22 = stack(builder, "solve", 22, main10);
        smooth = stack(builder, "smooth", 30, solve22);
        samples = builder.counters(
            {{.name = "sampled_time", .unit = "sec", .mode = OTF2_METRIC_ACCUMULATED_LAST, .exponent = -3}});
    }

    /// From the outermost to the innermost, and in time: `solve 0-10`.
    std::vector<std::string> read(Ticks from, Ticks to, std::size_t most = 100) {
        const auto anchor = builder.write(directory_.path());
        definitions = trace::readDefinitions(anchor);
        const std::atomic<bool> stopped = false;
        excerpt = trace::readStacks(anchor, definitions, trace::LocationId(0), {from, to, 10, most}, stopped);
        EXPECT_FALSE(excerpt.problem) << excerpt.problem.value_or("");
        std::ranges::stable_sort(excerpt.bars, {},
                                 [](const trace::StackBar& bar) { return std::pair(bar.depth, bar.begin); });
        std::vector<std::string> texts;
        for (const trace::StackBar& bar : excerpt.bars)
            texts.push_back(std::string(bar.depth, '.') + definitions[bar.region].name + ' ' +
                            std::to_string(bar.begin) + '-' + std::to_string(bar.end));
        return texts;
    }

    const std::filesystem::path& folder() const { return directory_.path(); }

    TraceBuilder builder;
    OTF2_CallingContextRef main10, solve20, solve22, smooth;
    OTF2_MetricRef samples;
    trace::Definitions definitions;
    trace::StackExcerpt excerpt;

  private:
    TemporaryDirectory directory_;
};

TEST_F(StackExcerpt, functionsOfCallsAndSamples_standAroundRegions) {
    builder.on(0).callFrom(0, 1, "MPI_Barrier", solve20);
    for (const Tick tick : {3, 5, 7}) builder.on(0).sampleAt(tick, samples, smooth, 2);
    builder.on(0).sampleAt(9, samples, solve22, 2).callFrom(9, 10, "MPI_Barrier", solve22);
    EXPECT_THAT(read(0, 10), ElementsAre("main 0-10", ".solve 0-10", "..MPI_Barrier 0-1", "..smooth 1-7",
                                         "..MPI_Barrier 9-10"));
    EXPECT_EQ(excerpt.depth, 3U);
    EXPECT_EQ(excerpt.samples, 4U);
    EXPECT_TRUE(excerpt.bars[2].isEvent);
    EXPECT_FALSE(excerpt.bars[3].isEvent);
    EXPECT_EQ(definitions[excerpt.bars[2].site].line, 20U);
    EXPECT_EQ(definitions[excerpt.bars[1].site].line, 10U) << "where main calls solve";
}

/// `solve/MPI_Barrier 0-1`: what is on the stack for how long.
class Told final : public trace::StackListener {
  public:
    explicit Told(const trace::Definitions& definitions) : definitions_(definitions) {}
    void passed(std::span<const trace::StackedCall> stack, std::size_t kept, Ticks from, Ticks to) override {
        names_.resize(kept);
        for (const trace::StackedCall& call : stack.subspan(kept))
            names_.push_back(definitions_[call.region].name);
        std::string text;
        for (const std::string& name : names_) text += (text.empty() ? "" : "/") + name;
        texts.push_back(text + ' ' + std::to_string(from) + '-' + std::to_string(to));
    }
    std::vector<std::string> texts;

  private:
    const trace::Definitions& definitions_;
    std::vector<std::string> names_;
};

TEST_F(StackExcerpt, timeBetweenEvents_isToldWithWhatBothEndsShare) {
    builder.on(0).callFrom(0, 1, "MPI_Barrier", solve20).callFrom(3, 4, "MPI_Barrier", solve22);
    for (const Tick tick : {6, 8}) builder.on(0).sampleAt(tick, samples, smooth, 2);
    builder.on(0).callFrom(9, 10, "MPI_Send", main10);
    const auto anchor = builder.write(folder());
    definitions = trace::readDefinitions(anchor);
    const std::atomic<bool> stopped = false;
    Told told(definitions);
    EXPECT_FALSE(trace::followStacks(anchor, definitions, trace::LocationId(0), told, stopped));
    EXPECT_THAT(told.texts, ElementsAre("main/solve/MPI_Barrier 0-1", "main/solve 1-3",
                                        "main/solve/MPI_Barrier 3-4", "main/solve/smooth 4-6",
                                        "main/solve/smooth 6-8", "main 8-9", "main/MPI_Send 9-10"));
}

TEST_F(StackExcerpt, longTimeWithoutSamples_belongsToNoFunction) {
    builder.on(0).callFrom(0, 1, "MPI_Barrier", solve20);
    for (const Tick tick : {2, 3, 4}) builder.on(0).sampleAt(tick, samples, main10, 1);
    builder.on(0).sampleAt(60, samples, smooth, 1).sampleAt(61, samples, smooth, 1);
    builder.on(0).callFrom(62, 63, "MPI_Barrier", solve22);
    EXPECT_THAT(read(0, 63), ElementsAre("main 0-63", ".solve 0-1", ".solve 60-63", "..MPI_Barrier 0-1",
                                         "..smooth 60-61", "..MPI_Barrier 62-63"));
}

TEST_F(StackExcerpt, functionsCalledByARegion_stayWithinIt) {
    builder.on(0).enter(0, "MPI_Recv").sampleAt(2, samples, main10, 2).leave(6).enter(8, "f").leave(9);
    EXPECT_THAT(read(0, 9), ElementsAre("MPI_Recv 0-6", "f 8-9", ".main 0-2"));
}

/// Until the first event behind it.
TEST_F(StackExcerpt, window_hasWhatTouchesIt) {
    for (Tick tick = 0; tick < 100; tick += 10)
        builder.on(0).callFrom(tick, tick + 5, "MPI_Barrier", solve20);
    EXPECT_THAT(read(22, 33),
                ElementsAre("main 0-35", ".solve 0-35", "..MPI_Barrier 20-25", "..MPI_Barrier 30-35"));
}

TEST_F(StackExcerpt, functionOfSamples_isFoundByItsNameLengthAndTime) {
    builder.on(0).callFrom(0, 1, "MPI_Barrier", solve20);
    for (const Tick tick : {3, 5, 7}) builder.on(0).sampleAt(tick, samples, smooth, 2);
    builder.on(0).sampleAt(9, samples, solve22, 2).callFrom(9, 10, "MPI_Barrier", solve22);
    builder.on(0).sampleAt(12, samples, smooth, 2).callFrom(14, 15, "MPI_Barrier", solve22);
    const auto anchor = builder.write(folder());
    definitions = trace::readDefinitions(anchor);
    const auto find = [&](const char* name, Ticks least, Ticks after, Ticks before = 1000) {
        trace::StackSearch search{{}, least, after, before};
        for (const trace::Region& region : definitions.regions)
            search.isWanted.push_back(region.name == name ? 1 : 0);
        const std::atomic<bool> stopped = false;
        const auto found = trace::findInStacks(anchor, definitions, trace::LocationId(0), search, stopped);
        return found ? std::to_string(found->begin) + '-' + std::to_string(found->end) : "nothing";
    };
    EXPECT_EQ(find("smooth", 0, -1), "1-7");
    EXPECT_EQ(find("smooth", 0, 1), "10-12");
    EXPECT_EQ(find("smooth", 3, 1), "nothing");
    EXPECT_EQ(find("smooth", 0, -1, 1), "nothing");
    EXPECT_EQ(find("main", 0, -1), "0-15");
    EXPECT_EQ(find("absent", 0, -1), "nothing");
}

TEST_F(StackExcerpt, manyShortBars_areLeftOut) {
    for (Tick tick = 0; tick < 1000; tick += 2)
        builder.on(0).callFrom(tick, tick + 1, "MPI_Barrier", solve20);
    EXPECT_LT(read(0, 1000, 20).size(), 20U);
    EXPECT_EQ(excerpt.depth, 3U);
}

}  // namespace
}  // namespace holos::testing
