// SPDX-License-Identifier: BSD-3-Clause
// Every byte of every file of a small archive, wrong one at a time: the analysis ends with a result or with
// an error, soon, and never with a crash.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "metric-specs/error.h"
#include "tests/support/damage.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// One of everything.
std::filesystem::path writeTrace(const TemporaryDirectory& directory) {
    constexpr auto* kParallel = "!$omp parallel @t.c:1";
    TraceBuilder trace(2, 2);
    const auto counters = trace.counters({{.name = "CYCLES"}});
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).counters(0, counters, {1}).enter(0, "main").call(1, 2, "MPI_Init").fork(3, 2);
        trace.on(rank, 0).teamBegin(3).enter(3, kParallel).acquire(4, 0, 1).release(5, 0, 1);
        trace.on(rank, 0).call(5, 6, "!$omp barrier @t.c:2").leave(7).teamEnd(7);
        trace.on(rank, 1).teamBegin(3).enter(3, kParallel).acquire(5, 0, 2).release(6, 0, 2);
        trace.on(rank, 1).call(6, 6, "!$omp barrier @t.c:2").leave(7).teamEnd(7);
        trace.on(rank).join(8).irecv(9, 10, 1).isend(10, 11, {.peer = 1 - rank}, 2);
        trace.on(rank).waitRecv(12, 13, {.peer = 1 - rank}, 1).waitSend(13, 14, 2).barrier(14, 15);
        trace.on(rank).collective(15, 16, OTF2_COLLECTIVE_OP_ALLREDUCE, {}).call(17, 18, "MPI_Finalize");
        trace.on(rank).counters(19, counters, {100}).leave(19);
    }
    return trace.write(directory.path());
}

std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void expectEndWithEachByteWrong(const std::filesystem::path& anchor, const std::filesystem::path& file) {
    const auto content = contentOf(file);
    for (std::size_t at = 0; at < content.size(); ++at) {
        for (const int change : {0xFF, 0x01}) {
            auto wrong = content;
            wrong[at] = static_cast<char>(wrong[at] ^ change);
            replace(file, wrong);
            try {
                analyzer::analyze(anchor);
            } catch (const Error&) {  // says what is wrong; that is all we ask for
            }
        }
    }
    replace(file, content);
}

TEST(CorruptedBytes, inEventFiles_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    expectEndWithEachByteWrong(anchor, eventFile(anchor, 0));
    expectEndWithEachByteWrong(anchor, eventFile(anchor, 1, 1));
}

TEST(CorruptedBytes, inLocalDefinitions_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    expectEndWithEachByteWrong(anchor, localDefinitionFile(anchor, 0));
}

TEST(CorruptedBytes, inGlobalDefinitions_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    expectEndWithEachByteWrong(anchor, globalDefinitionFile(anchor));
}

TEST(CorruptedBytes, inAnchor_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    expectEndWithEachByteWrong(anchor, anchor);
}

}  // namespace
}  // namespace holos::testing
