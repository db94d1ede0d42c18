// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/recordings/format/annotations.h"

/// Which interfaces are heard, and what programs did by them that cannot be recorded as it was.
namespace holos::tracing::annotations {

/// Whether the settings want it.
bool isWanted(Annotation) noexcept;

/// Whether the settings want it and this process records. Says of an interface that was heard for the first
/// time that it was.
bool hears(Annotation) noexcept;

/// What is left out or changed, and counted.
enum class Oddity : std::uint8_t {
    EndWithoutBegin,  ///< left out
    Crossed,          ///< a range ended before one that began in it: that one goes on as another visit
    TooDeep,          ///< left out
    TooManyNames,     ///< left out
    TooManyAtOnce     ///< of those that need not nest: left out
};
void noteOddity(Annotation, Oddity) noexcept;

}  // namespace holos::tracing::annotations
