// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Counters of the process and of the node, which a thread of the recorder reads now and then.
namespace holos::tracing::core {

/// Starts sampling the counters of `Settings::sampledCounters` at their interval, those
/// of the node only in one process of it, as far as the launcher tells. What cannot be counted is written
/// down as trouble, and nothing is sampled then. Called once, when the recording has begun.
void startSampling() noexcept;

/// Takes the last sample and stops, before the recording ends.
void stopSampling() noexcept;

}  // namespace holos::tracing::core
