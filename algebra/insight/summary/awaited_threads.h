// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/insight/summary/caused_waits.h"
#include "algebra/insight/summary/late_workers.h"

namespace holos::algebra {

/// A problem of this kind, of threads that others wait for by name: until they signal, post, wake or release.
/// Those who wait may look busy meanwhile, as they ask a few times before they sleep, so that what all do is
/// not compared.
Problem awaitedThreads(const LateWorkers& workers, const CausedWaits& waits, const char* kind);

/// Who is waited for sleeps, mostly.
bool isSleepAwaited(const LateWorkers& workers);

}  // namespace holos::algebra
