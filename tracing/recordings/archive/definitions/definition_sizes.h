// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// OTF2 writes definitions in chunks, and each definition must fit into one. This is the size of chunk that
/// holds each of a trace's: the smallest that does, since one is cleared for each location. `contexts`: how
/// many a location has met at most.
std::uint64_t definitionChunk(const TracePlan& plan, const SampledCode& code, std::size_t contexts);

/// Bytes of the longest text that a chunk of this size can hold.
std::size_t longestText(std::uint64_t chunk);

}  // namespace holos::archive
