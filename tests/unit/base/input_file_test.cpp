// SPDX-License-Identifier: BSD-3-Clause
#include "base/input_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos {
namespace {

using ::testing::HasSubstr;

class InputFile : public ::testing::Test {
  protected:
    std::filesystem::path file(const std::string& content) const {
        const auto path = directory_.path() / "file";
        std::ofstream(path) << content;
        return path;
    }
    static std::string problemOf(const std::filesystem::path& path) {
        try {
            readText(path, 8, "a list");
            return {};
        } catch (const Error& error) {
            return error.what();
        }
    }
    testing::TemporaryDirectory directory_;
};

TEST_F(InputFile, upToTheLimit_isRead) {
    EXPECT_EQ(readText(file("12345678"), 8, "a list"), "12345678");
    EXPECT_EQ(readText(file(""), 8, "a list"), "");
    EXPECT_EQ(problemOf(file("123456789")),
              (directory_.path() / "file").string() + ": is larger than 8 bytes; expected a list");
}

TEST_F(InputFile, fileOfTheKernel_isReadThoughItSaysItIsEmpty) {
    EXPECT_THAT(readText("/proc/self/status", 1U << 20, "a status"), HasSubstr("Name:"));
    EXPECT_THAT(problemOf("/proc/self/status"), HasSubstr("is larger than"));
}

TEST_F(InputFile, otherThanRegularFiles_areRefusedAtOnce) {
    const auto pipe = directory_.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(problemOf(pipe), HasSubstr("is not a regular file; expected a list"));
    EXPECT_THAT(problemOf("/dev/zero"), HasSubstr("is not a regular file"));
    EXPECT_THAT(problemOf(directory_.path()), HasSubstr("is a directory"));
    EXPECT_THAT(problemOf(directory_.path() / "none"), HasSubstr("there is no such file"));
}

}  // namespace
}  // namespace holos
