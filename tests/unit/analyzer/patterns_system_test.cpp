// SPDX-License-Identifier: BSD-3-Clause
// Threads that sleep in functions of the system.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// A process of 10 ticks with a thread that works for one of them and is in `read` for nine.
Findings sleeping(const RegionKind& kind) {
    TraceBuilder trace(1, 2);
    trace.region("read", kind);
    trace.on(0).enter(0, "main").leave(10);
    trace.on(0, 1).enter(0, "work").call(1, 10, "read").leave(10);
    return Findings(trace);
}

TEST(SystemWaiting, functionThatTheThreadSleptIn_isNoComputation) {
    const Findings found = sleeping({OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
    EXPECT_NEAR(found.at("system_waiting", "work/read", 0, 1), 0.009, kExact);
    EXPECT_NEAR(found.total("system_waiting"), 0.009, kExact);
    EXPECT_NEAR(found.total("comp"), 0.011, kExact);
    EXPECT_NEAR(found.total("execution"), 0.020, kExact);
}

/// As Score-P records reading, asleep or not.
TEST(SystemWaiting, functionOnFiles_isComputation) {
    const Findings found = sleeping({OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_FILE_IO, ""});
    EXPECT_NEAR(found.total("comp"), 0.020, kExact);
    EXPECT_NEAR(found.total("file_io"), 0.009, kExact);
    EXPECT_FALSE(found.result().experiment.findMetric("system_waiting"));
}

TEST(SystemWaiting, functionOfTheProgramOfThatName_isComputation) {
    const Findings found = sleeping({OTF2_PARADIGM_COMPILER, OTF2_REGION_ROLE_FUNCTION, "system"});
    EXPECT_NEAR(found.total("comp"), 0.020, kExact);
}

}  // namespace
}  // namespace holos::testing
