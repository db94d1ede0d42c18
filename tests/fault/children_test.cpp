// SPDX-License-Identifier: BSD-3-Clause
// Children of a recorded program leave its recording alone, in whatever way they are made.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

class Children : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        const auto result =
            runCommand({HOLOS_PROGRAM, "record", "-o", trace(), "--", PROGRAM_WITH_CHILDREN, GetParam()});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        EXPECT_THAT(result.output, HasSubstr("output of " + GetParam() + '\n'));
        events_ = readBack(trace() / "traces.otf2");
    }
    std::filesystem::path trace() const { return directory_.path() / "trace"; }
    std::string notes() const {
        std::ifstream file(trace() / "measurement.json");
        return nlohmann::json::parse(file)["notes"].dump();
    }
    auto count(const std::string& end) const {
        return std::count_if(events_.begin(), events_.end(),
                             [&](const std::string& line) { return line.ends_with(end); });
    }

  private:
    TemporaryDirectory directory_;
    std::vector<std::string> events_;
};

class OwnMemory : public Children {};

TEST_P(OwnMemory, ofTheChild_parentIsRecordedAlone_andTheChildNoted) {
    EXPECT_EQ(count("enter workOfParent"), 3000);
    EXPECT_EQ(count("leave workOfParent"), 3000);
    EXPECT_EQ(count("workOfChild"), 0);
    EXPECT_EQ(notes(), R"(["process 0: a forked child was not recorded"])");
}
INSTANTIATE_TEST_SUITE_P(Ways, OwnMemory, ::testing::Values("fork", "_Fork", "system call", "clone"));

class SharedMemory : public Children {};

TEST_P(SharedMemory, ofTheChild_parentIsRecordedAlone) {
    EXPECT_EQ(count("enter workOfParent"), 2000);
    EXPECT_EQ(count("leave workOfParent"), 2000);
#if defined(__x86_64__)
    EXPECT_EQ(count("workOfChild"), 0);
#endif
    EXPECT_EQ(notes(), "[]");
}
INSTANTIATE_TEST_SUITE_P(Ways, SharedMemory, ::testing::Values("vfork and exit", "vfork and exec"));

}  // namespace
}  // namespace holos::testing
