// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <vector>

#include "report/query/table.h"

namespace holos::query {

/// A column by which rows are grouped.
struct GroupKey {
    std::size_t column = 0;
    bool largestFirst = false;
};

/// What rows are grouped with.
struct Grouping {
    std::vector<GroupKey> keys;
    std::uint64_t columns = 0;     ///< one bit for each that is wanted of the rows
    std::filesystem::path folder;  ///< of a file without a name, where rows lie that are too many for memory
    std::size_t mostInMemory = std::size_t{128} << 20U;  ///< bytes
};

/// Hands over all rows of a cursor with those of equal keys one after the other, in the order of the keys, so
/// that nobody has to sort them: each group keeps what is wanted of its rows, in a few bytes. Rows are
/// read when the first one is asked for. `next` throws `Stopped`, `std::bad_alloc` where the groups are too
/// many, and `holos::Error` where the file cannot be written. `stopped` must outlive the cursor.
std::unique_ptr<Cursor> groupedRows(std::unique_ptr<Cursor> rows, Grouping grouping,
                                    const std::atomic<bool>& stopped);

}  // namespace holos::query
