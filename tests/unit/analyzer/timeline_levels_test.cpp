// SPDX-License-Identifier: BSD-3-Clause
// Levels of detail of a trace: what they tell is what the trace has, at every level.
#include "analyzer/timeline/levels.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>

#include "analyzer/timeline/build_levels.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

namespace trace = analyzer::trace;
namespace timeline = analyzer::timeline;
using timeline::Activity;
using trace::Ticks;

constexpr const char* kNothing = "";

/// A random run of several processes, and what each of them did in each tick.
struct RandomRun {
    RandomRun(unsigned seed, unsigned processes) : builder(processes), regionAt(processes) {
        std::minstd_rand random(seed);
        for (unsigned rank = 0; rank < processes; ++rank) grow(rank, random);
    }

    void grow(unsigned rank, std::minstd_rand& random) {
        static const std::vector<const char*> kNames{"main", "work", "MPI_Wait", "!$omp barrier @a.c:7"};
        std::vector<const char*> open;
        Tick now = random() % 20;
        regionAt[rank].resize(now, nullptr);
        for (unsigned left = 30 + random() % 60; left > 0 || !open.empty();) {
            if (left > 0 && (open.empty() || random() % 2 == 0)) {
                open.push_back(kNames[random() % kNames.size()]);
                builder.on(rank).enter(now, open.back());
                --left;
            } else {
                builder.on(rank).leave(now);
                open.pop_back();
            }
            if (left == 0 && open.empty()) break;
            const Tick steps = random() % 9;
            regionAt[rank].resize(regionAt[rank].size() + steps, open.empty() ? kNothing : open.back());
            now += steps;
        }
    }

    TraceBuilder builder;
    std::vector<std::vector<const char*>> regionAt;  ///< null: nothing is known
};

class TimelineLevels : public ::testing::Test {
  protected:
    void make(const TraceBuilder& builder, unsigned threads = 1) {
        const std::filesystem::path folder = directory_.path() / std::to_string(runs_++);
        std::filesystem::create_directory(folder);
        anchor_ = builder.write(folder);
        definitions_ = trace::readDefinitions(anchor_);
        ASSERT_TRUE(timeline::buildLevels(anchor_, definitions_, file(),
                                          {.threads = threads, .progress = {}, .stopped = nullptr}));
    }
    std::filesystem::path file() const { return timeline::levelsFile(anchor_); }
    timeline::Levels open() const { return {file(), anchor_, definitions_}; }
    std::string nameOf(std::uint32_t region) const {
        return region == timeline::kOutside ? kNothing : definitions_.regions[region].name;
    }
    Activity activityOf(const std::string& name) const {
        for (const trace::Region& region : definitions_.regions)
            if (region.name == name) return timeline::activityOf(region);
        return Activity::Nothing;
    }
    void expectTruth(const timeline::Levels& levels, const RandomRun& run) const;
    void expectBin(const timeline::Levels& levels, const RandomRun& run, timeline::RowId row, unsigned level,
                   std::size_t bin, const timeline::ActivityTimes& inBin) const;

    TemporaryDirectory directory_;
    unsigned runs_ = 0;
    std::filesystem::path anchor_;
    trace::Definitions definitions_;
};

void TimelineLevels::expectBin(const timeline::Levels& levels, const RandomRun& run, timeline::RowId row,
                               unsigned level, std::size_t bin, const timeline::ActivityTimes& inBin) const {
    const timeline::TimeGrid& grid = levels.grid();
    std::map<std::string, Ticks> inRegion;
    timeline::ActivityTimes times{};
    for (std::size_t rank = row.row << row.level;
         rank < std::min((row.row + 1) << row.level, run.regionAt.size()); ++rank)
        for (Ticks tick = grid.edge(level, bin); tick < grid.edge(level, bin + 1); ++tick) {
            const auto at = static_cast<std::size_t>(tick);
            if (at >= run.regionAt[rank].size() || run.regionAt[rank][at] == nullptr) continue;
            const std::string name = run.regionAt[rank][at];
            ++inRegion[name];
            ++times[static_cast<std::size_t>(activityOf(name))];
        }
    EXPECT_EQ(inBin, times);
    const timeline::Dominants told = levels.dominants(row, level, bin, bin + 1).front();
    // Of several, a region is told rather than that others are outside.
    if (inRegion.size() > 1 && row.level > 0 && levels.locations() > (row.row << row.level) + 1)
        inRegion.erase(kNothing);
    Ticks most = 0, lost = 0;
    for (const auto& [name, ticks] : inRegion) {
        most = std::max(most, ticks);
        if (timeline::isLoss(activityOf(name))) lost = std::max(lost, ticks);
    }
    EXPECT_EQ(told.most.share != 0, most != 0);
    EXPECT_EQ(told.lost.share != 0, lost != 0);
    if (most != 0) {
        EXPECT_EQ(inRegion[nameOf(told.most.region)], most);
    }
    if (lost != 0) {
        EXPECT_EQ(inRegion[nameOf(told.lost.region)], lost);
    }
}

void TimelineLevels::expectTruth(const timeline::Levels& levels, const RandomRun& run) const {
    for (unsigned rowLevel = 0; rowLevel < levels.rowLevels(); ++rowLevel)
        for (std::size_t row = 0; row < levels.rows(rowLevel); ++row)
            for (unsigned level = 0; level < levels.grid().levels(); ++level) {
                const auto times = levels.times({rowLevel, row}, level);
                ASSERT_EQ(times.size(), levels.grid().bins(level));
                for (std::size_t bin = 0; bin < times.size(); ++bin)
                    expectBin(levels, run, {rowLevel, row}, level, bin, times[bin]);
            }
}

TEST(TimelineGrid, bins_coverTheRunWithoutGaps) {
    for (const Ticks length : {1, 5, 63, 64, 1000, 123457}) {
        const timeline::TimeGrid grid(length, 7);
        for (unsigned level = 0; level < grid.levels(); ++level) {
            EXPECT_EQ(grid.edge(level, 0), 0);
            EXPECT_EQ(grid.edge(level, grid.bins(level)), length);
            for (const Ticks time : {Ticks{0}, length / 3, length / 2, length - 1}) {
                const std::size_t bin = grid.binAt(level, time);
                EXPECT_LE(grid.edge(level, bin), time);
                EXPECT_GT(grid.edge(level, bin + 1), time);
            }
        }
    }
}

TEST(TimelineGrid, level_isTheCoarsestWithEnoughBins) {
    const timeline::TimeGrid grid(1 << 20, 11);  // 1024 bins
    EXPECT_EQ(grid.levelFor(0, 1 << 20, 1024), 0U);
    EXPECT_EQ(grid.levelFor(0, 1 << 20, 500), 1U);
    EXPECT_EQ(grid.levelFor(0, 1 << 20, 1), 10U);
    EXPECT_EQ(grid.levelFor(0, 1 << 18, 200), 0U);
    EXPECT_EQ(grid.levelFor(0, 1 << 10, 200), 0U) << "none is fine enough";
}

TEST(TimelineRows, covering_haveEachLocationOnce) {
    for (std::size_t from = 0; from < 20; ++from)
        for (std::size_t to = from; to < 40; ++to) {
            std::size_t next = from;
            for (const timeline::RowId& row : timeline::rowsCovering(from, to)) {
                EXPECT_EQ(row.row << row.level, next);
                next += std::size_t{1} << row.level;
            }
            EXPECT_EQ(next, to);
        }
}

TEST_F(TimelineLevels, randomRuns_areToldTrulyAtEveryLevel) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const RandomRun run(seed, seed);
        make(run.builder, seed % 3 + 1);
        expectTruth(open(), run);
    }
}

TEST_F(TimelineLevels, moreLocationsThanAUnitOfWork_areJoined) {
    const RandomRun run(7, 37);
    make(run.builder, 3);
    const timeline::Levels levels = open();
    EXPECT_EQ(levels.rows(levels.rowLevels() - 1), 1U);
    for (unsigned rowLevel = 0; rowLevel < levels.rowLevels(); ++rowLevel)
        for (std::size_t row = 0; row < levels.rows(rowLevel); ++row) {
            const unsigned level = levels.grid().levels() - 3;
            const auto times = levels.times({rowLevel, row}, level);
            for (std::size_t bin = 0; bin < times.size(); ++bin)
                expectBin(levels, run, {rowLevel, row}, level, bin, times[bin]);
        }
}

TEST_F(TimelineLevels, messages_areKeptWithBothEnds) {
    TraceBuilder builder(2);
    builder.on(0).enter(0, "main").send(2, 4, {.peer = 1}).send(12, 14, {.peer = 1}).leave(20);
    builder.on(1).enter(0, "main").recv(1, 7, {.peer = 0}).recv(13, 16, {.peer = 0}).leave(20);
    make(builder);
    const timeline::KeptMessages kept = open().messages();
    EXPECT_EQ(kept.oneOf, 1U);
    ASSERT_EQ(kept.messages.size(), 2U);
    EXPECT_EQ(kept.messages[0].sender, trace::LocationId(0));
    EXPECT_EQ(kept.messages[1].receiver, trace::LocationId(1));
    EXPECT_LT(kept.messages[0].sent, kept.messages[1].sent);
}

TEST_F(TimelineLevels, checkpoints_leadIntoTheMiddle) {
    TraceBuilder builder(1);
    builder.on(0).enter(0, "main");
    for (Tick tick = 1; tick < 100000; tick += 2) builder.on(0).enter(tick, "work").leave(tick + 1);
    builder.on(0).leave(100001);
    make(builder);
    const timeline::Levels levels = open();
    EXPECT_EQ(levels.checkpointBefore(0, 100).event, 0U);
    const trace::Checkpoint start = levels.checkpointBefore(0, 90000);
    EXPECT_GT(start.event, 0U);
    const std::atomic<bool> stopped = false;
    const trace::Window window{90000, 90010, 10, 100, 100};
    const auto whole = trace::readExcerpt(anchor_, definitions_, trace::LocationId(0), window, stopped);
    const auto rest = trace::readExcerpt(anchor_, definitions_, trace::LocationId(0), window, stopped, start);
    ASSERT_EQ(rest.spans.size(), whole.spans.size());
    for (std::size_t at = 0; at < rest.spans.size(); ++at) {
        EXPECT_EQ(rest.spans[at].begin, whole.spans[at].begin);
        EXPECT_EQ(rest.spans[at].depth, whole.spans[at].depth);
    }
}

TEST_F(TimelineLevels, oldOnes_areRefused) {
    make(RandomRun(1, 2).builder);
    std::filesystem::last_write_time(anchor_,
                                     std::filesystem::last_write_time(file()) + std::chrono::seconds(2));
    EXPECT_THROW(open(), Error);
}

TEST_F(TimelineLevels, thoseOfAnotherTrace_areRefused) {
    make(RandomRun(1, 2).builder);
    ++definitions_.clock.length;
    EXPECT_THROW(open(), Error);
}

TEST_F(TimelineLevels, stopped_makesNoFile) {
    anchor_ = RandomRun(1, 2).builder.write(directory_.path());
    definitions_ = trace::readDefinitions(anchor_);
    const std::atomic<bool> stopped = true;
    EXPECT_FALSE(timeline::buildLevels(anchor_, definitions_, file(),
                                       {.threads = 1, .progress = {}, .stopped = &stopped}));
    EXPECT_FALSE(std::filesystem::exists(file()));
}

/// Whatever is read of a damaged file ends well or with an error.
void readAll(const timeline::Levels& levels) {
    for (unsigned rowLevel = 0; rowLevel < levels.rowLevels(); ++rowLevel)
        for (std::size_t row = 0; row < levels.rows(rowLevel); ++row)
            for (unsigned level = 0; level < levels.grid().levels(); ++level) {
                levels.dominants({rowLevel, row}, level, 0, levels.grid().bins(level));
                levels.times({rowLevel, row}, level);
            }
    for (std::size_t location = 0; location < levels.locations(); ++location) {
        levels.checkpointBefore(location, 1);
        levels.quiet(location);
    }
    levels.messages();
}

TEST_F(TimelineLevels, damagedBytes_areNoticedOrHarmless) {
    make(RandomRun(2, 3).builder);
    std::string good;
    {
        std::ifstream in(file(), std::ios::binary);
        good.assign(std::istreambuf_iterator<char>(in), {});
    }
    std::minstd_rand random(5);
    for (unsigned trial = 0; trial < 300; ++trial) {
        std::string bad = good;
        // The head and the table twice as often.
        const std::size_t range = trial % 2 == 0 ? bad.size() : std::min<std::size_t>(bad.size(), 400);
        bad[random() % range] = static_cast<char>(random());
        if (trial % 5 == 0) bad.resize(random() % bad.size());
        std::ofstream(file(), std::ios::binary) << bad;
        try {
            readAll(open());
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(".timeline"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace holos::testing
