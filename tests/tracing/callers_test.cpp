// SPDX-License-Identifier: BSD-3-Clause
// The recorder stands in front of `dlsym`, which finds out who calls it.
#include <gtest/gtest.h>

#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

TEST(RecordedCallers, nextAndDefaultOfLibraries_areTheirs) {
    const TemporaryDirectory directory;
    // `record` fails the test when the program does not end with 0.
    record(directory.path(), HOLOS_PROGRAMS "/callers", {}, {}, {HOLOS_PROGRAMS "/libanswers_loaded.so"});
}

TEST(RecordedCallers, otherLibraryInFrontOfDlsym_isAskedToo) {
    const TemporaryDirectory directory;
    record(directory.path(), HOLOS_PROGRAMS "/callers",
           {"env", "LD_PRELOAD=" HOLOS_PROGRAMS "/libother_dlsym.so"});
}

}  // namespace
}  // namespace holos::testing
