// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/sampled_code.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/temporary_directory.h"
#include "tracing/stacks/path_tree.h"

namespace holos::archive {
namespace {

using tracing::stacks::kFirstPath;
using tracing::stacks::kNoPath;

/// As files are that are open for their symbols.
bool isMapped(const std::string& file) {
    std::ifstream maps("/proc/self/maps");
    return std::string(std::istreambuf_iterator<char>(maps), {}).find(file) != std::string::npos;
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

}  // namespace
}  // namespace holos::archive
