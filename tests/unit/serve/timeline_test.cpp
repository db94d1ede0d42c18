// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/timeline.h"

#include <gmock/gmock.h>

#include <thread>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using namespace serve;
using nlohmann::ordered_json;

/// Four processes: three quarters of the run in `main`, the last quarter in MPI_Barrier; the first process
/// sends at first.
class TimelineTest : public ::testing::Test {
  protected:
    TimelineTest() {
        TraceBuilder trace(4);
        for (unsigned rank = 0; rank < 4; ++rank) {
            auto& here = trace.on(rank).enter(0, "main");
            if (rank == 0) here.enter(0, "MPI_Send").leave(1024);
            here.enter(3072, "MPI_Barrier").leave(4096).leave(4096);
        }
        timeline_ = std::make_unique<Timeline>(trace.write(folder_.path()));
    }
    ordered_json tile(const TileRequest& request) {
        for (;;) {
            ordered_json found = timeline_->tile(request);
            if (found["ready"] == true) return found;
            std::this_thread::yield();
        }
    }
    TileRequest whole(std::size_t pixels) const {
        return {.from = 0,
                .to = timeline_->seconds(),
                .pixels = pixels,
                .firstLocation = 0,
                .locations = 1000,
                .rows = 40};
    }
    /// `REGION*BINS` one after the other, as parts of the tile.
    static std::string textOf(const ordered_json& tile, std::size_t row) {
        std::string text;
        const ordered_json runs = tile["rows"][row]["runs"];
        for (std::size_t at = 0; at < runs.size(); at += 3) {
            const std::size_t region = runs[at];
            text += (text.empty() ? "" : " ") +
                    (region == 0 ? "none" : tile["regions"][region - 1]["name"].get<std::string>()) + '*' +
                    std::to_string(runs[at + 2].get<std::size_t>());
        }
        return text;
    }

    TemporaryDirectory folder_;
    std::unique_ptr<Timeline> timeline_;
};

TEST_F(TimelineTest, wholeRun_isToldInRunsOfRegions) {
    const ordered_json found = tile(whole(8));
    EXPECT_EQ(found["bins"], 8);
    EXPECT_EQ(found["locations"], 4);
    ASSERT_EQ(found["rows"].size(), 4U);
    EXPECT_EQ(textOf(found, 0), "MPI_Send*2 main*4 MPI_Barrier*2");
    EXPECT_EQ(textOf(found, 1), "main*6 MPI_Barrier*2");
    EXPECT_EQ(found["regions"][0]["activity"], "mpi");
    EXPECT_EQ(found["regions"][1]["activity"], "user");
}

TEST_F(TimelineTest, partOfTheRun_hasItsOwnBins) {
    TileRequest request = whole(4);
    request.from = timeline_->seconds() / 2;
    const ordered_json found = tile(request);
    EXPECT_EQ(found["from"], timeline_->seconds() / 2);
    EXPECT_EQ(textOf(found, 3), "main*2 MPI_Barrier*2");
}

TEST_F(TimelineTest, fewRows_takeNeighboursTogether) {
    TileRequest request = whole(8);
    request.rows = 2;
    const ordered_json found = tile(request);
    ASSERT_EQ(found["rows"].size(), 2U);
    EXPECT_EQ(found["rows"][1]["first"], 2);
    EXPECT_EQ(found["rows"][1]["locations"], 2);
    request.firstLocation = 3;
    request.locations = 1;
    EXPECT_EQ(tile(request)["rows"].size(), 1U);
}

TEST_F(TimelineTest, placesOutsideOfTheRun_areItsEnds) {
    TileRequest request = whole(8);
    request.from = -1e300;
    request.to = 1e300;
    EXPECT_EQ(tile(request)["bins"], 8);
    request.from = request.to = 1e300;
    EXPECT_EQ(textOf(tile(request), 0), "MPI_Barrier*1");
    request.firstLocation = 1000;
    EXPECT_EQ(tile(request)["rows"].size(), 0U);
}

TEST(Timeline, ofNoTrace_isAnError) {
    const TemporaryDirectory folder;
    EXPECT_THROW(Timeline(folder.path() / "traces.otf2"), Error);
}

}  // namespace
}  // namespace holos::testing
