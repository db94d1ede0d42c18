// SPDX-License-Identifier: BSD-3-Clause
// Recordings and traces of which a file is a named pipe or a device: opened or read like a file, it would
// keep who does so waiting for ever.
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
    /// Puts a named pipe, or a link to a device that never ends, in the place of the file.
    static void replace(const fs::path& file, bool byDevice) {
        fs::remove(file);
        if (byDevice)
            fs::create_symlink("/dev/zero", file);
        else
            ASSERT_EQ(::mkfifo(file.c_str(), 0644), 0);
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

    TemporaryDirectory directory_;
    fs::path run_ = directory_.path() / "run";
    fs::path copy_ = directory_.path() / "copy";
};

/// The program is killed together with the command that records it, so that the recording stays.
TEST_F(SpecialFile, ofARecording_keepsNobodyWaiting) {
    runCommand({HOLOS_PROGRAM, "record", "-o", run_, "--", "sh", "-c",
                std::string("'") + HARSH_PROGRAM + "' none; kill -9 $PPID; kill -9 $$"});
    ASSERT_TRUE(fs::exists(run_ / "recording"));
    std::vector<fs::path> files;
    for (const auto& one : fs::recursive_directory_iterator(run_ / "recording"))
        if (one.is_regular_file()) files.push_back(fs::relative(one.path(), run_));
    ASSERT_THAT(files.size(), Ge(8u));
    for (const bool byDevice : {false, true})
        for (const fs::path& file : files) {
            fs::remove_all(copy_);
            fs::copy(run_, copy_, fs::copy_options::recursive);
            replace(copy_ / file, byDevice);
            expectEnd(copy_, file);
        }
}

TEST_F(SpecialFile, ofATrace_keepsNobodyWaiting) {
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "record", "-o", run_, "--", HARSH_PROGRAM, "none"}).exitCode, 0);
    for (const bool byDevice : {false, true})
        for (const char* const name :
             {"traces.otf2", "traces.def", "traces/0.evt", "traces/0.def", "measurement.json"}) {
            fs::remove_all(copy_);
            fs::copy(run_, copy_, fs::copy_options::recursive);
            replace(copy_ / name, byDevice);
            expectEnd(copy_, name);
        }
}

}  // namespace
}  // namespace holos::testing
