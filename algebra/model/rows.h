// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "algebra/model/severity_table.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// A row as files have it: numbers of their own type in this machine's byte order.
struct StoredRow {
    ValueType type;
    std::string_view bytes;
};

/// One metric's values, row by row: in memory, in a file, or made from other rows when they are asked for.
/// The way through data that need not fit into memory. Immutable.
///
/// Thread safety: safe.
class Rows {
  public:
    Rows(std::size_t callPaths, std::size_t locations, double missing)
        : callPaths_(callPaths), locations_(locations), missing_(missing) {}
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    virtual ~Rows() = default;

    std::size_t callPaths() const { return callPaths_; }
    std::size_t locations() const { return locations_; }
    /// What a value is that no row covers, as in `SeverityTable`.
    double missing() const { return missing_; }

    /// False when the call path has no values. Reads none: values of a row may turn out to be all missing.
    virtual bool hasRow(CallPathId path) const = 0;
    /// The values of all locations; empty when `hasRow` is false. They are in `scratch`, which has room for
    /// them, or in memory that lives as long as this object. Throws `holos::Error` when they cannot be read.
    virtual std::span<const double> row(CallPathId path, std::span<double> scratch) const = 0;

    /// A row as it was stored, where nothing was done to it: whole numbers of 64 bits have more digits
    /// than doubles. Nothing in all other cases, and when `hasRow` is false. The bytes are in `scratch` or in
    /// memory that lives as long as this object.
    virtual std::optional<StoredRow> storedRow(CallPathId, std::string&) const { return std::nullopt; }

    /// All of it in memory. Uses all processor cores.
    virtual std::shared_ptr<const SeverityTable> table() const;

    bool allMissing(std::span<const double> values) const;

  private:
    std::size_t callPaths_;
    std::size_t locations_;
    double missing_;
};

using RowsPtr = std::shared_ptr<const Rows>;

/// Opens rows; may throw `holos::Error`. Can be called any number of times, from any thread.
using RowSource = std::function<RowsPtr()>;

/// A table as rows.
RowsPtr rowsOf(std::shared_ptr<const SeverityTable> table);

/// How many rows to treat together: enough to be worth a thread's while, few enough to stay in its cache.
std::size_t rowsPerBlock(std::size_t locations);

}  // namespace holos::algebra
