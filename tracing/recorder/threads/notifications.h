// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/thread.h"

namespace holos::tracing::core {

/// A thread ends that the C library started for a notification; nothing for others.
void endNotified(Thread& thread) noexcept;

}  // namespace holos::tracing::core
