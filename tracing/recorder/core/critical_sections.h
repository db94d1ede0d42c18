// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/locks.h"

namespace holos::tracing {

/// Critical sections of one place that nobody waits for, one directly after the other. All but the first one
/// become one record with their number and time:
///
///     recorded    ┤C├B┤C├──┤C├B┤C├───┤C├BB┤C├      three sections with their blocks
///     trace       ┤C├B┤C├────────┤CC├BBB┤CC├       the first one; then one that has the time of the others
///
/// Each call path keeps its time in that way, and the time between belongs where it did. Which section was
/// when is not known any more, nor the order of their acquisitions: nobody waited for them.
///
/// Where something is recorded in a section, it is entered and left like any other region.

/// The calling thread has entered the section, without waiting, since `markTime`, and its block begins now.
/// True where it is added to those before; else it is recorded like any other region.
bool openSection(const Section& section) noexcept;

/// Whether the thread is in one that was opened, and has recorded nothing since.
bool isSectionOpen() noexcept;
/// Its block ended at the time of `markTime`; now it is left. False where something was recorded since.
bool closeSection() noexcept;

/// Leaves a section that was recorded like any other region: the next one may be added to it.
void leaveSection(const Section& section) noexcept;

}  // namespace holos::tracing
