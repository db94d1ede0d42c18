// SPDX-License-Identifier: BSD-3-Clause
// Where the recorder is installed: `LD_PRELOAD` ends names at blanks and colons.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;

class Preload : public ::testing::Test {
  protected:
    Preload() {
        const fs::path program = fs::canonical(HOLOS_PROGRAM);
        const auto copy = [&](const fs::path& from, const char* folder) {
            fs::create_directories(awkward() / folder);
            fs::copy_file(from, awkward() / folder / from.filename());
        };
        copy(program, "bin");
        for (const char* name : {"libholos-tracing.so", "libholos-exceptions.so", "libholos-allocations.so",
                                 "libholos-annotations.so"})
            copy(program.parent_path().parent_path() / "lib" / name, "lib");
        fs::create_directory(temporary());
    }

    fs::path awkward() const { return directory_.path() / "a blank: and a colon"; }
    fs::path temporary() const { return directory_.path() / "temporary"; }
    const fs::path& plain() const { return directory_.path(); }

    void expectRecordedBelow(const fs::path& folder) const {
        const fs::path archive = folder / "archive";
        const CommandResult result =
            runCommand({"env", "TMPDIR=" + temporary().string(), (awkward() / "bin/holos").string(), "record",
                        "-o", archive.string(), "--", HOLOS_PROGRAMS "/user"});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        EXPECT_FALSE(recordedEvents(archive).at(0).empty());
        EXPECT_TRUE(fs::is_empty(temporary()));
        EXPECT_FALSE(fs::exists(archive / "recording"));
    }

  private:
    TemporaryDirectory directory_;
};

TEST_F(Preload, installedBelowBlankAndColon_records) {
    expectRecordedBelow(plain());
}

TEST_F(Preload, recordingBelowBlankAndColonToo_records) {
    expectRecordedBelow(awkward());
}

}  // namespace
}  // namespace holos::testing
