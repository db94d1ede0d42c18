// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/sampled_code.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/compiled.h"
#include "tracing/recorder/stacks/walk/path_tree.h"

namespace holos::archive {
namespace {

using tracing::stacks::kFirstPath;
using tracing::stacks::kNoPath;

/// As files are that are open for their symbols.
bool isMapped(const std::string& file) {
    std::ifstream maps("/proc/self/maps");
    return std::string(std::istreambuf_iterator<char>(maps), {}).find(file) != std::string::npos;
}

/// Where the calls of a function return to, as the file has it.
std::vector<std::uint64_t> returnsOf(const std::string& library, const std::string& called) {
    std::istringstream code(
        holos::testing::runCommand({"objdump", "-d", "--no-show-raw-insn", library}).output);
    std::vector<std::uint64_t> found;
    bool isBehindCall = false;
    for (std::string line; std::getline(code, line);) {
        if (isBehindCall) found.push_back(std::stoull(line, nullptr, 16));
        isBehindCall = line.find("<" + called + "@plt>") != std::string::npos &&
                       line.find("@plt>:") == std::string::npos;
    }
    return found;
}

TEST(SampledCode, fileOfWhichOnlyCodeThatStartsTheProgramIsMet_staysClosed) {
    const holos::testing::TemporaryDirectory directory;
    const std::string program = directory.path() / "program";
    const std::string library = directory.path() / "libc.so.6";
    for (const auto& copy : {program, library}) std::filesystem::copy_file("/bin/true", copy);
    RecordedProcess process;
    process.loadedFiles = {{0x10000, 0x20000, program}, {0x30000, 0x40000, library}};
    process.callPaths.resize(kFirstPath);
    process.callPaths.push_back({kNoPath, 0x31001, 2});         // the C library
    process.callPaths.push_back({kFirstPath, 0x12001, 2});      // which calls main
    process.callPaths.push_back({kFirstPath + 1, 0x13001, 2});  // which calls a function

    SampledCode code(0);
    EXPECT_NE(code.contextOf(process, kFirstPath + 2), SampledContext::kNone);
    EXPECT_EQ(code.contexts().size(), 2u);
    EXPECT_TRUE(isMapped(program));
    EXPECT_FALSE(isMapped(library));
}

SampledAccess accessTo(std::uint64_t address, counters::MemoryPart part) {
    SampledAccess access;
    access.address = address;
    access.kind.part = part;
    return access;
}

TEST(SampledCode, dataOfAnAccess_isACallPathBelowItsFunction) {
    if (!holos::testing::haveTools({"gcc", "nm"})) GTEST_SKIP() << "no gcc";
    const holos::testing::TemporaryDirectory directory;
    const std::string library = holos::testing::compiledLibrary(
        directory.path(), "static double grid[100]; double* f(void) { return grid; }\n", {"gcc", "-O0"});
    std::uint64_t grid = 0;
    std::istringstream symbols(holos::testing::runCommand({"nm", library}).output);
    for (std::string line; std::getline(symbols, line);)
        if (line.ends_with(" grid")) grid = std::stoull(line, nullptr, 16);
    ASSERT_NE(grid, 0U);
    RecordedProcess process;
    process.loadedFiles = {{0x10000, 0x11000, "/nowhere/app"}, {0x100000, 0x101000, library}};

    SampledCode code(0);
    const std::uint64_t where[] = {0x10010};
    const auto context = code.contextOf(process, where, 2);
    const auto nameBelow = [&](std::uint64_t address, counters::MemoryPart part) {
        const SampledContext& data =
            code.contexts().at(code.dataBelow(context, process, accessTo(address, part)));
        EXPECT_EQ(data.parent, context);
        return code.regions().at(data.region).name;
    };
    using counters::MemoryPart;
    EXPECT_EQ(nameBelow(0x100000 + grid, MemoryPart::File), "data grid");
    EXPECT_EQ(nameBelow(0x100000 + grid + 799, MemoryPart::File), "data grid");
    EXPECT_EQ(nameBelow(0x100000 + grid + 800, MemoryPart::File),
              "data of " + library.substr(library.rfind('/') + 1));
    EXPECT_EQ(nameBelow(0x10800, MemoryPart::File), "data of app");
    EXPECT_EQ(nameBelow(0x7000, MemoryPart::Heap), "data on the heap");
    EXPECT_EQ(nameBelow(0x7000, MemoryPart::Stack), "data on a stack");
    EXPECT_EQ(nameBelow(0x7000, MemoryPart::File), "data of a file");
    EXPECT_EQ(code.dataBelow(context, process, accessTo(0, MemoryPart::Other)), context)
        << "no address, no data";
}

TEST(SampledCode, callsOfOneLine_areContextsOfTheirOwn) {
    if (!holos::testing::haveTools({"gcc", "objdump"})) GTEST_SKIP() << "no gcc";
    const holos::testing::TemporaryDirectory directory;
    const std::string library = holos::testing::compiledLibrary(
        directory.path(), "void a(void); int f(void) { a(); a(); return 1; }\n", {"gcc", "-g", "-O0"});
    RecordedProcess process;
    process.loadedFiles = {{0x10000, 0x20000, library}};
    process.callPaths.resize(kFirstPath);
    for (const std::uint64_t returned : returnsOf(library, "a"))
        process.callPaths.push_back({kNoPath, 0x10000 + returned, 1});
    ASSERT_EQ(process.callPaths.size(), kFirstPath + 2);

    SampledCode code(0);
    const auto first = code.contextOf(process, kFirstPath);
    const auto second = code.contextOf(process, kFirstPath + 1);
    ASSERT_EQ(first, 0);
    ASSERT_EQ(second, 1);
    EXPECT_EQ(code.contexts()[first].place, code.contexts()[second].place);
    EXPECT_EQ(code.callOrders(), (std::vector<std::string>{"0:", "1: 0"}));
}

TEST(SampledCode, fileOfWhichOnlyCodeThatStartsAThreadIsMet_staysClosed) {
    const holos::testing::TemporaryDirectory directory;
    const std::string library = directory.path() / "libc.so.6";
    std::filesystem::copy_file("/bin/true", library);
    RecordedProcess process;
    process.loadedFiles = {{0x30000, 0x40000, library}};
    process.callPaths.resize(kFirstPath);
    process.callPaths.push_back({kNoPath, 0x31001, 1});  // the C library, which calls a runtime system

    SampledCode code(0);
    EXPECT_EQ(code.contextOf(process, kFirstPath), SampledContext::kNone);
    EXPECT_TRUE(code.regions().empty());
    EXPECT_FALSE(isMapped(library));
}

}  // namespace
}  // namespace holos::archive
