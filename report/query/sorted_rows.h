// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>

#include "report/query/kept_rows.h"
#include "report/query/table.h"

namespace holos::query {

/// Hands over all rows of a cursor in the order of the keys; those of equal keys stay as they were. What does
/// not fit into memory is sorted part by part, and the parts are merged from the file. Rows are read when the
/// first one is asked for. `next` throws `Stopped`, `std::bad_alloc` where different texts are too many, and
/// `holos::Error` where the file cannot be written. `stopped` must outlive the cursor.
std::unique_ptr<Cursor> sortedRows(std::unique_ptr<Cursor> rows, RowOrder order,
                                   const std::atomic<bool>& stopped);

}  // namespace holos::query
