// SPDX-License-Identifier: BSD-3-Clause
// Programs that count by PAPI themselves: they come before the recorder.
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/interpose/next_function.h"

namespace {

constexpr int kIsRunning = -10;  ///< PAPI_EISRUN: another set of the component counts in this thread

}  // namespace

/// PAPI has one counting set for each component and thread.
extern "C" __attribute__((visibility("default"))) int PAPI_start(int set) {
    using namespace holos::tracing;
    static constinit interpose::Next<int(int)> next("PAPI_start");
    auto* const start = next.behind(__builtin_return_address(0));
    const int result = start(set);
    return result == kIsRunning && core::yieldPapi(core::thisThread) ? start(set) : result;
}
