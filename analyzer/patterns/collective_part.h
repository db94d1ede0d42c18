// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "analyzer/patterns/waits.h"

namespace holos::analyzer::patterns {

/// One rank's part in a collective operation, and where its wait is noted.
struct CollectivePart {
    replay::RecordRef ref;
    const replay::CollectiveRecord* record;
    CollectiveWait* wait;

    const replay::CollectiveRecord& operator*() const { return *record; }
    const replay::CollectiveRecord* operator->() const { return record; }
};

/// One operation, or one group of it, by rank.
using CollectiveParts = std::span<const CollectivePart>;

}  // namespace holos::analyzer::patterns
