// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "report/query/run.h"

namespace holos::query {

/// The rows of the table of calls, from the index: the same as from the trace, bit for bit. Where a part of
/// the index turns out to be damaged, it is made anew and the rows go on.
std::unique_ptr<Cursor> indexedCalls(Run& run, std::shared_ptr<const CallIndex> index, Question question);

}  // namespace holos::query
