// SPDX-License-Identifier: BSD-3-Clause
// Recordings and traces of which a file is a named pipe, a device, or ends with a hole of a terabyte: opened
// or read like a file, it would keep who does so waiting for ever.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Ge;
using ::testing::Ne;

class SpecialFile : public ::testing::Test {
  protected:
    enum class Way { Pipe, Device, Hole };

    /// Puts something else in the place of the file, or behind what it has.
    static void spoil(const fs::path& file, Way way) {
        if (way == Way::Hole) return addHole(file);
        fs::remove(file);
        if (way == Way::Device)
            fs::create_symlink("/dev/zero", file);
        else
            ASSERT_EQ(::mkfifo(file.c_str(), 0644), 0);
    }
    /// A test that needs a hole is skipped where the file system has none, or none so large.
    static void addHole(const fs::path& file) {
        constexpr std::uintmax_t kTerabyte = std::uintmax_t{1} << 40U;
        constexpr std::uintmax_t kBlock = 512;
        std::error_code problem;
        fs::resize_file(file, kTerabyte, problem);
        if (problem) GTEST_SKIP() << "files of a terabyte: " << problem.message();
        struct stat status {};
        ASSERT_EQ(::stat(file.c_str(), &status), 0);
        ASSERT_LT(static_cast<std::uintmax_t>(status.st_blocks) * kBlock, kTerabyte / 1024);
    }
    /// All commands that read a run end by themselves.
    static void expectEnd(const fs::path& folder, const std::string& what) {
        const std::string result = folder.string() + ".cubex";
        for (const std::vector<std::string>& words : {std::vector<std::string>{"watch", "--once", folder},
                                                      {"info", folder},
                                                      {"score", folder},
                                                      {"plot", folder},
                                                      {"analyze", folder, "-o", result}}) {
            const auto done =
                runCommand(std::vector<std::string>{"timeout", "-k", "1", "60", HOLOS_PROGRAM} + words);
            EXPECT_THAT(done.exitCode, Ne(124)) << words[0] << " with a special " << what;
            EXPECT_THAT(done.exitCode, Ne(137)) << words[0] << " with a special " << what;
        }
        fs::remove(result);
    }

    /// All commands meet each file after it was spoilt.
    void expectEndWithEach(const std::vector<fs::path>& files, Way way) {
        for (const fs::path& file : files) {
            fs::remove_all(copy_);
            fs::copy(run_, copy_, fs::copy_options::recursive);
            spoil(copy_ / file, way);
            if (IsSkipped() || HasFatalFailure()) return;
            expectEnd(copy_, file);
        }
    }
    /// The program is killed together with the command that records it, so that the recording stays.
    std::vector<fs::path> filesOfARecording() {
        runCommand({HOLOS_PROGRAM, "record", "-o", run_, "--", "sh", "-c",
                    std::string("'") + HARSH_PROGRAM + "' none; kill -9 $PPID; kill -9 $$"});
        std::vector<fs::path> files;
        if (!fs::exists(run_ / "recording")) return files;
        for (const auto& one : fs::recursive_directory_iterator(run_ / "recording"))
            if (one.is_regular_file()) files.push_back(fs::relative(one.path(), run_));
        return files;
    }
    std::vector<fs::path> filesOfATrace() {
        EXPECT_EQ(runCommand({HOLOS_PROGRAM, "record", "-o", run_, "--", HARSH_PROGRAM, "none"}).exitCode, 0);
        return {"traces.otf2", "traces.def", "traces/0.evt", "traces/0.def", "measurement.json"};
    }

    TemporaryDirectory directory_;
    fs::path run_ = directory_.path() / "run";
    fs::path copy_ = directory_.path() / "copy";
};

TEST_F(SpecialFile, ofARecording_keepsNobodyWaiting) {
    const auto files = filesOfARecording();
    ASSERT_THAT(files.size(), Ge(8u));
    for (const Way way : {Way::Pipe, Way::Device}) expectEndWithEach(files, way);
}

TEST_F(SpecialFile, ofATrace_keepsNobodyWaiting) {
    const auto files = filesOfATrace();
    for (const Way way : {Way::Pipe, Way::Device}) expectEndWithEach(files, way);
}

TEST_F(SpecialFile, withAHoleOfATerabyteInARecording_keepsNobodyWaiting) {
    const auto files = filesOfARecording();
    ASSERT_THAT(files.size(), Ge(8u));
    expectEndWithEach(files, Way::Hole);
}

TEST_F(SpecialFile, withAHoleOfATerabyteInATrace_keepsNobodyWaiting) {
    expectEndWithEach(filesOfATrace(), Way::Hole);
}

}  // namespace
}  // namespace holos::testing
