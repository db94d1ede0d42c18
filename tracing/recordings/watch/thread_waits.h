// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recordings/watch/wait_context.h"

/// For what threads of one process wait for each other. Each adds those who are waited for to a wait, and
/// says what it is in words.
namespace holos::watch {

std::string awaitThreadEnd(const WaitContext& context, const ThreadAt& at, const AwaitedThing& thing,
                           Wait& wait);
std::string awaitLock(const WaitContext& context, const ThreadAt& at, const AwaitedThing& thing, Wait& wait);

/// Whether a region is a barrier of OpenMP.
bool isBarrier(const archive::RecordedRegion& region);
/// The others of its team, which are not in a barrier.
std::string awaitTeam(const WaitContext& context, const ThreadAt& at, Wait& wait);

}  // namespace holos::watch
