// SPDX-License-Identifier: BSD-3-Clause
// Numbers of call paths, while files come and go.
#include "tracing/recorder/stacks/walk/path_tree.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.h"
#include "tracing/code/loaded/file_table.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/stacks/walk/unloadings.h"

namespace holos::tracing {
namespace {

/// What the recorder would find loaded, by where it begins.
std::map<std::uint64_t, std::string> loaded;
constexpr std::uint64_t kSize = 0x1000;

struct Definition {
    std::string file;  ///< else a path
    stacks::PathNumber path = 0;
    stacks::PathNumber caller = 0;
    std::uint64_t address = 0;
};
std::vector<Definition> definitions;
std::size_t pathsDefined = 0;

}  // namespace

namespace core {
void writeLoadedFile(std::uint64_t begin, std::uint64_t, const char* path, const char*) noexcept {
    definitions.push_back({path, 0, 0, begin});
}
void writeCallPath(std::uint32_t path, std::uint32_t caller, std::uint64_t returnAddress) noexcept {
    constexpr std::size_t kEnough = 100'000;  // that a full tree takes no time
    if (++pathsDefined < kEnough) definitions.push_back({"", path, caller, returnAddress});
}
}  // namespace core

}  // namespace holos::tracing

namespace holos::code {

std::atomic<int> FileTableUse::users{0};
thread_local volatile int FileTableUse::own __attribute__((tls_model("initial-exec"))) = 0;

BuildId::BuildId(const LoadedFile&) noexcept {}

bool findLoadedFile(std::uint64_t address, LoadedFile& file) noexcept {
    auto next = tracing::loaded.upper_bound(address);
    if (next == tracing::loaded.begin()) return false;
    const auto& [begin, path] = *--next;
    file = {begin, begin + tracing::kSize, nullptr, path.c_str()};
    return address < file.end;
}

}  // namespace holos::code

namespace holos::tracing {
namespace stacks {

namespace {

using ::testing::Ne;

class PathTree : public ::testing::Test {
  protected:
    PathTree() {
        loaded.clear();
        loaded[0x1000] = "";  // the program
        // Tests share the tree: each has places of its own.
        static std::uint64_t next = 0x100000;
        place_ = next;
        next += 0x100000;
    }
    std::string file(const std::string& name, const std::string& text = "") {
        const auto path = directory_.path() / name;
        std::ofstream(path) << text;
        return path;
    }
    void load(const std::string& path) { loaded[place_] = path; }
    void unload() {
        unloadings.begin();
        loaded.erase(place_);
        unloadings.add();
        unloadings.end();
    }
    PathNumber pathThroughFile(PathNumber caller = kNoPath) const { return pathBelow(caller, place_ + 0x10); }
    static PathNumber pathThroughProgram(std::uint64_t call) { return pathBelow(kNoPath, 0x1000 + call); }
    /// The file that the last definition of this path is of, as the archive has it.
    std::string fileOfPath(PathNumber path) const {
        std::string found;
        for (const auto& one : definitions) {
            if (one.path == path) return found;
            if (one.path == 0 && one.address == place_) found = one.file;
        }
        return "not defined";
    }

    std::uint64_t place_;
    testing::TemporaryDirectory directory_;
};

TEST_F(PathTree, equalCalls_haveOneNumberAndOneDefinition) {
    load(file("a.so"));
    const PathNumber path = pathThroughFile();
    const std::size_t count = definitions.size();
    EXPECT_EQ(pathThroughFile(), path);
    EXPECT_THAT(pathThroughFile(path), Ne(path));
    EXPECT_EQ(definitions.size(), count + 1);
}

TEST_F(PathTree, unloadedFile_leavesOtherPathsAsTheyWere) {
    load(file("a.so"));
    const PathNumber ofProgram = pathThroughProgram(0x10);
    unload();
    EXPECT_EQ(pathThroughProgram(0x10), ofProgram);
}

TEST_F(PathTree, otherFileInTheSamePlace_hasPathsOfItsOwn) {
    load(file("a.so"));
    const PathNumber first = pathThroughFile();
    unload();
    load(file("b.so"));
    const PathNumber second = pathThroughFile();
    EXPECT_NE(first, second);
    EXPECT_THAT(fileOfPath(first), ::testing::EndsWith("a.so"));
    EXPECT_THAT(fileOfPath(second), ::testing::EndsWith("b.so"));
}

TEST_F(PathTree, sameFileInItsPlaceAgain_hasThePathsThatItHad) {
    const auto a = file("a.so");
    const auto b = file("b.so");
    load(a);
    const PathNumber first = pathThroughFile();
    unload();
    load(b);
    pathThroughFile();
    unload();
    load(a);
    EXPECT_EQ(pathThroughFile(), first);
    const PathNumber later = pathBelow(kNoPath, place_ + 0x20);
    EXPECT_THAT(fileOfPath(later), ::testing::EndsWith("a.so"));  // not that of b, which was defined later
}

TEST_F(PathTree, fileThatWasWrittenAnew_hasOtherPaths) {
    load(file("a.so", "old"));
    const PathNumber first = pathThroughFile();
    unload();
    load(file("a.so", "newer"));
    EXPECT_NE(pathThroughFile(), first);
}

TEST_F(PathTree, fileThatCannotBeLookedAt_isAnotherAfterFilesWereUnloaded) {
    load(directory_.path() / "gone.so");
    const PathNumber first = pathThroughFile();
    EXPECT_EQ(pathThroughFile(), first);
    unload();
    load(directory_.path() / "gone.so");
    EXPECT_NE(pathThroughFile(), first);
}

TEST_F(PathTree, codeOfNoFile_isOnePathWhereverItLies) {
    const PathNumber path = pathThroughFile();
    EXPECT_EQ(definitions.back().address, kCodeOfNoFile);
    EXPECT_EQ(pathBelow(kNoPath, place_ + 0x999), path);
    load(file("a.so"));
    EXPECT_NE(pathThroughFile(), path);
}

TEST_F(PathTree, whileFilesGoAway_isWhatIsLoadedNow) {
    load(file("a.so"));
    const PathNumber first = pathThroughFile();
    unloadings.begin();
    loaded.erase(place_);
    load(file("b.so"));
    const PathNumber second = pathThroughFile();
    EXPECT_NE(second, first);
    unloadings.add();
    unloadings.end();
    EXPECT_EQ(pathThroughFile(), second);
}

TEST_F(PathTree, fileThatIsLoadedVeryOften_needsNoMoreThanOnce) {
    const auto a = file("a.so");
    load(a);
    pathThroughFile(pathThroughProgram(0x30));
    const std::size_t count = definitions.size();
    for (int i = 0; i < 100'000; ++i) {
        unload();
        load(a);
        pathThroughFile(pathThroughProgram(0x30));
    }
    EXPECT_EQ(definitions.size(), count);
}

TEST_F(PathTree, moreFilesThanAreToldApart_areCodeOfNoFile) {
    const auto a = file("a.so");
    load(a);
    const PathNumber known = pathThroughFile();
    for (std::size_t i = 0; i < kMostKnownFiles + 10; ++i) {
        unload();
        load(directory_.path() / std::to_string(i));
        pathThroughFile();
    }
    EXPECT_EQ(pathThroughFile(), pathBelow(kNoPath, 0x17));
    unload();
    load(a);
    EXPECT_EQ(pathThroughFile(), known);
}

// The last one, as the tree is full afterwards.
TEST_F(PathTree, morePathsThanThereIsRoomFor_areSaid) {
    const PathNumber known = pathThroughProgram(0x10);
    for (PathNumber i = 0; i < kMostPaths; ++i) pathBelow(i, 0x1020);
    EXPECT_EQ(pathThroughProgram(0x40), kMorePaths);
    EXPECT_EQ(pathBelow(kMorePaths, 0x1010), kMorePaths);
    EXPECT_EQ(pathThroughProgram(0x10), known);
    EXPECT_EQ(pathsDefined, kMostPaths - kFirstPath);
}

}  // namespace
}  // namespace stacks
}  // namespace holos::tracing
