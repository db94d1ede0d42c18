// SPDX-License-Identifier: BSD-3-Clause
// Where there is no trace at all, the analysis says so and names the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/error.h"
#include "tests/support/damage.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

/// Another process writes it: behind the end of a file OTF2 reads what its memory held before, which must not
/// be the same trace.
std::filesystem::path writeSmallTrace(const TemporaryDirectory& directory) {
    const pid_t writer = ::fork();
    if (writer == 0) {
        TraceBuilder trace(1);
        trace.on(0).enter(0, "main").leave(10);
        trace.write(directory.path());
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
    return directory.path() / "traces.otf2";
}

void expectErrorNaming(const std::filesystem::path& archive, const std::string& name) {
    try {
        analyzer::analyze(archive);
        FAIL() << "no error for " << archive;
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(name));
    }
}

TEST(NoTrace, missingFile_isNamed) {
    expectErrorNaming("/nowhere/traces.otf2", "/nowhere");
}

TEST(NoTrace, emptyDirectory_isNamed) {
    const TemporaryDirectory directory;
    expectErrorNaming(directory.path(), directory.path().string());
}

TEST(NoTrace, emptyFile_isNamed) {
    const TemporaryDirectory directory;
    const auto anchor = writeSmallTrace(directory);
    replace(anchor, "");
    expectErrorNaming(anchor, anchor.string());
}

TEST(NoTrace, foreignFile_isNamed) {
    const TemporaryDirectory directory;
    const auto anchor = writeSmallTrace(directory);
    replace(anchor, "<?xml version=\"1.0\"?>\n<cube version=\"4.0\"/>\n");
    expectErrorNaming(anchor, anchor.string());
}

// OTF2 alone would make room for two thousand million names before it looks for the first of them.
TEST(NoTrace, anchorWithMorePropertiesThanBytes_isNamedAtOnce) {
    const TemporaryDirectory directory;
    const auto anchor = writeSmallTrace(directory);
    std::fstream file(anchor, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(52);  // the highest byte of the number of properties, behind three empty strings
    file.put(0x7f);
    file.close();
    expectErrorNaming(anchor, "properties");
}

TEST(NoTrace, truncatedAnchor_isNamed) {
    const TemporaryDirectory directory;
    const auto anchor = writeSmallTrace(directory);
    truncate(anchor, std::filesystem::file_size(anchor) / 2);
    expectErrorNaming(anchor, "traces");
}

TEST(NoTrace, missingGlobalDefinitions_areNamed) {
    const TemporaryDirectory directory;
    const auto anchor = writeSmallTrace(directory);
    std::filesystem::remove(globalDefinitionFile(anchor));
    expectErrorNaming(anchor, "traces");
}

TEST(NoTrace, truncatedGlobalDefinitions_areNamed) {
    const TemporaryDirectory directory;
    const auto anchor = writeSmallTrace(directory);
    const auto definitions = globalDefinitionFile(anchor);
    truncate(definitions, std::filesystem::file_size(definitions) / 2);
    expectErrorNaming(anchor, "traces");
}

TEST(NoTrace, foreignGlobalDefinitions_areNamed) {
    const TemporaryDirectory directory;
    const auto anchor = writeSmallTrace(directory);
    replace(globalDefinitionFile(anchor), std::string(500, 'x'));
    expectErrorNaming(anchor, "traces");
}

// A trace in which nothing happened is one.
TEST(NoTrace, locationsWithoutEvents_giveAnEmptyExperiment) {
    TraceBuilder trace(2, 2);
    const Findings found(trace);
    EXPECT_EQ(found.result().experiment.system.locations.size(), 4);
    EXPECT_EQ(found.total("time"), 0);
    EXPECT_EQ(found.total("visits"), 0);
}

}  // namespace
}  // namespace holos::testing
