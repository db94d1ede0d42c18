// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include "tracing/recordings/format/vocabulary.h"

/// The recorder's words in OTF2's.
namespace holos::archive {

OTF2_Paradigm otf2Paradigm(tracing::Paradigm);
OTF2_RegionRole otf2Role(tracing::Role);
OTF2_RmaAtomicType otf2Atomic(tracing::RmaAtomic type);
OTF2_CollectiveOp otf2Operation(tracing::Collective);

}  // namespace holos::archive
