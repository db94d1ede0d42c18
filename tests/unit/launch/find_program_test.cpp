// SPDX-License-Identifier: BSD-3-Clause
// Which file a command runs, and why the recorder could not be loaded into it.
#include "tracing/recordings/launch/program.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FindProgram : public ::testing::Test {
  protected:
    std::string file(const std::string& name, const std::string& text, fs::perms permissions) const {
        const fs::path path = directory_.path() / name;
        std::ofstream(path, std::ios::binary) << text;
        fs::permissions(path, permissions);
        return path.string();
    }
    std::string program(const std::string& name, const std::string& text) const {
        return file(name, text, fs::perms::owner_all);
    }

    testing::TemporaryDirectory directory_;
};

std::string messageFor(const std::string& name) {
    try {
        return findProgram(name).string();
    } catch (const Error& error) {
        return error.message();
    }
}

TEST_F(FindProgram, nameWithoutSlash_isTheFirstInPath) {
    const std::string before = std::getenv("PATH");
    const std::string own = program("holos-test-program", "#!/bin/sh\n");
    ::setenv("PATH", ("/no/such/folder:" + directory_.path().string() + ':' + before).c_str(), 1);
    EXPECT_EQ(messageFor("holos-test-program"), own);
    ::setenv("PATH", before.c_str(), 1);
    EXPECT_THAT(messageFor("holos-test-program"), HasSubstr("no such program in PATH"));
}

TEST_F(FindProgram, whatIsNoProgram_isRefusedWithTheReason) {
    EXPECT_EQ(messageFor((directory_.path() / "missing").string()), "no such program");
    EXPECT_EQ(messageFor(directory_.path().string()), "is a folder, not a program");
    EXPECT_THAT(messageFor(file("data", "", fs::perms::owner_read)), HasSubstr("chmod +x"));
}

TEST_F(FindProgram, scriptWithoutItsInterpreter_isRefused) {
    EXPECT_THAT(messageFor(program("good.sh", "#! /bin/sh -e\n")), ::testing::EndsWith("good.sh"));
    EXPECT_THAT(messageFor(program("bad.sh", "#!/no/such/shell\n")), HasSubstr("which does not exist"));
    EXPECT_THAT(messageFor(program("windows.sh", "#!/bin/sh\r\n")), HasSubstr("carriage return"));
}

TEST_F(FindProgram, programThatLoadsNoLibraries_isRefused) {
    std::string header(64, '\0');
    header.replace(0, 5,
                   "\x7f"
                   "ELF\x02");
    EXPECT_THAT(messageFor(program("static", header)), HasSubstr("statically linked"));
    EXPECT_THAT(messageFor(program("ld-linux-x86-64.so.2", header)), ::testing::EndsWith(".so.2"))
        << "it loads another program";
    header[4] = 1;
    EXPECT_THAT(messageFor(program("short", header)), HasSubstr("32-bit"));
}

}  // namespace
}  // namespace holos::launch
