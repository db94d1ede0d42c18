// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/recorder/annotations/names.h"

/// The ranges in which the calling thread is. They become regions, which nest, whatever programs do.
namespace holos::tracing::annotations {

/// `key`: by which its end finds it, of that interface. Without a name it is no region.
void begin(Annotation, Name*, std::uint64_t key) noexcept;

/// Ends the innermost range with the key. Those that began in it and have not ended are left and entered
/// again. Where there is none nothing is done and, `mustBe`, it is counted. Whether there was one.
bool end(Annotation, std::uint64_t key, bool mustBe = true) noexcept;

/// Nothing of the calling thread is recorded in between. Ranges that ended there, but had begun before, end
/// with the pause.
void pauseThread() noexcept;
void resumeThread() noexcept;

/// The name of the innermost range of that interface with the key; null where there is none.
const Name* innermost(Annotation, std::uint64_t key) noexcept;

/// In how many of that interface with the key the calling thread is.
int depth(Annotation, std::uint64_t key) noexcept;

/// Things that need not nest and may end in another thread: their durations are values of a metric, in the
/// thread and region where they end. `key`: of one that is open, unique for the interface.
void beginLoose(Name* duration, std::uint64_t key) noexcept;
void endLoose(Annotation, std::uint64_t key) noexcept;

}  // namespace holos::tracing::annotations
