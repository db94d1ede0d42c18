// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>

#include "report/query/kept_rows.h"
#include "report/query/table.h"

namespace holos::query {

/// Hands over all rows of a cursor with those of equal keys one after the other, in the order of the keys, so
/// that nobody has to sort them: each group keeps what is wanted of its rows, in a few bytes. For keys of few
/// different values. Rows are read when the first one is asked for. `next` throws `Stopped`, `std::bad_alloc`
/// where the groups are too many, and `holos::Error` where the file cannot be written. `stopped` must outlive
/// the cursor.
std::unique_ptr<Cursor> groupedRows(std::unique_ptr<Cursor> rows, RowOrder order,
                                    const std::atomic<bool>& stopped);

}  // namespace holos::query
