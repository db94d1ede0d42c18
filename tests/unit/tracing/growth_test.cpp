// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/recording_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <vector>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::chrono::milliseconds kOften{1};

/// Two processes have events of three megabytes each.
class GrowingRecording : public ::testing::Test {
  protected:
    GrowingRecording() {
        for (const char* process : {"host.1.0", "host.2.0"}) {
            fs::create_directories(recording() / process);
            std::ofstream(recording() / process / "events") << std::string(3 * kMegabyte, 'x');
        }
    }
    fs::path recording() const { return archive::recordingOf(directory_.path()); }

    holos::testing::TemporaryDirectory directory_;
};

TEST_F(GrowingRecording, size_isThatOfAllProcesses) {
    EXPECT_GE(bytesOfEvents(recording()), 6 * kMegabyte);
    EXPECT_LT(bytesOfEvents(recording()), 7 * kMegabyte);
    EXPECT_EQ(bytesOfEvents(directory_.path() / "nowhere"), 0U);
}

TEST_F(GrowingRecording, largerThanTheLimit_isSaidOnce) {
    std::promise<std::string> first;
    int announced = 0;
    {
        const GrowthWatch watch([this] { return directory_.path(); },
                                [&](const std::string& text) {
                                    if (announced++ == 0) first.set_value(text);
                                },
                                kMegabyte, kOften);
        const std::string text = first.get_future().get();
        EXPECT_THAT(text, HasSubstr("the recording has 6 MB after "));
        EXPECT_THAT(text, HasSubstr("'holos score " + directory_.path().string()));
        EXPECT_THAT(text, HasSubstr("--profile"));
        EXPECT_THAT(text, HasSubstr("--buffer"));
    }
    EXPECT_EQ(announced, 1);
}

/// Until it has looked three times.
TEST_F(GrowingRecording, smaller_nothingIsSaid) {
    int looks = 0;
    std::promise<void> enough;
    const GrowthWatch watch(
        [&] {
            if (++looks == 3) enough.set_value();
            return directory_.path();
        },
        [](const std::string& text) { ADD_FAILURE() << text; }, 100 * kMegabyte, kOften);
    enough.get_future().wait();
}

TEST_F(GrowingRecording, folderThatIsGone_endsTheWatch) {
    std::promise<void> looked;
    const GrowthWatch watch(
        [&]() -> fs::path {
            looked.set_value();
            throw Error("is gone");
        },
        [](const std::string& text) { ADD_FAILURE() << text; }, 0, kOften);
    looked.get_future().wait();
}

}  // namespace
}  // namespace holos::launch
