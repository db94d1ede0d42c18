// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/library.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"

namespace holos::specs {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// A folder with one platform file, named by HOLOS_SPECS_PATH.
class Library : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(::testing::TempDir()) / ("holos-specs-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        std::ofstream(folder_ / "own.spec") << "measure A = B\n";
        ::setenv("HOLOS_SPECS_PATH", ("/nonexistent::" + folder_.string()).c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("HOLOS_SPECS_PATH");
        fs::remove_all(folder_);
    }
    fs::path folder_;
};

std::string messageOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST_F(Library, name_isFoundInThePath) {
    EXPECT_EQ(find("own").aliases.at(0).event, "B");
}

TEST_F(Library, path_isTakenAsIs) {
    EXPECT_EQ(find((folder_ / "own.spec").string()).aliases.size(), 1u);
}

TEST_F(Library, shippedPlatform_isFoundBesideTheProgram) {
    EXPECT_THAT(platforms(), Contains("linux-software"));
    EXPECT_FALSE(find("linux-software").sets.empty());
}

TEST_F(Library, unknownName_suggestsTheNearest) {
    EXPECT_THAT(messageOf([] { find("linux-sofware"); }), HasSubstr("did you mean 'linux-software'?"));
}

TEST_F(Library, missingFile_isNamed) {
    EXPECT_THAT(messageOf([] { find("/nonexistent/x.spec"); }),
                HasSubstr("/nonexistent/x.spec: there is no such file"));
}

TEST_F(Library, directory_isRefused) {
    EXPECT_THAT(messageOf([this] { find(folder_.string()); }), HasSubstr("is a directory"));
}

TEST_F(Library, hugeFile_isRefused) {
    std::ofstream(folder_ / "huge.spec") << std::string((4u << 20) + 1, '#');
    EXPECT_THAT(messageOf([] { find("huge"); }), HasSubstr("larger than 4 MiB"));
}

TEST_F(Library, otherThanRegularFiles_areNotIncluded) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe.spec").c_str(), 0600), 0);
    for (const char* included : {"./pipe.spec", "/dev/zero", "/dev/stdin"}) {
        std::ofstream(folder_ / "outer.spec") << "include \"" << included << "\"\n";
        EXPECT_THAT(messageOf([] { find("outer"); }), HasSubstr("is not a regular file")) << included;
    }
}

TEST_F(Library, fileThatIncludesItselfUnderOtherNames_isRefused) {
    std::ofstream(folder_ / "a.spec") << "include \"./b.spec\"\ninclude \"./b.spec\"\n";
    fs::create_symlink("a.spec", folder_ / "b.spec");
    EXPECT_THAT(messageOf([] { find("a"); }), HasSubstr("includes itself"));
}

TEST_F(Library, filesThatAreTooMuchTogether_areRefused) {
    std::ofstream outer(folder_ / "outer.spec");
    for (int part = 0; part < 8; ++part) {
        const std::string name = "part" + std::to_string(part);
        std::ofstream(folder_ / (name + ".spec")) << std::string(3U << 20, '#');
        outer << "include " << name << "\n";
    }
    outer.close();
    EXPECT_THAT(messageOf([] { find("outer"); }), HasSubstr("too much text is included"));
}

}  // namespace
}  // namespace holos::specs
