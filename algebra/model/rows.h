// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/model/ids.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// One metric's values: call path × location. Only rows with values take memory.
/// A value is **exclusive** along the call tree (without the call paths below) and
/// **inclusive** along the metric tree (with the metrics below), as in CUBE.
class SeverityTable {
  public:
    SeverityTable() = default;
    /// `missing` is what a value is that was never set: 0, or for minima and maxima the "no value" of the
    /// type.
    SeverityTable(std::size_t callPaths, std::size_t locations, double missing = 0.0)
        : rows_(callPaths, nullptr), locations_(locations), missing_(missing) {}
    SeverityTable(const SeverityTable& other);
    SeverityTable(SeverityTable&&) noexcept = default;
    SeverityTable& operator=(const SeverityTable& other);
    SeverityTable& operator=(SeverityTable&&) noexcept = default;
    ~SeverityTable() = default;

    std::size_t callPaths() const { return rows_.size(); }
    std::size_t locations() const { return locations_; }
    double missing() const { return missing_; }
    /// Bytes that the values take in memory.
    std::size_t bytes() const { return made_ * locations_ * sizeof(double); }
    bool hasRow(CallPathId path) const {
        return path.index() < rows_.size() && rows_[path.index()] != nullptr;
    }

    /// The values of all locations; empty when they are all `missing()`.
    std::span<const double> row(CallPathId path) const {
        if (!hasRow(path)) return {};
        return {rows_[path.index()], locations_};
    }

    double at(CallPathId path, LocationId location) const {
        const auto values = row(path);
        return values.empty() ? missing_ : values[location.index()];
    }

    /// The values of all locations, to write to.
    std::span<double> editRow(CallPathId path) {
        double*& row = rows_[path.index()];
        if (row == nullptr) row = newRow();
        return {row, locations_};
    }

    /// Makes room for this many further rows at once.
    void reserveRows(std::size_t count);

    /// Takes over rows that lie back to back in `values`, in the order of `paths`, which have no rows yet.
    void adoptRows(std::unique_ptr<double[]> values, std::span<const CallPathId> paths);

    /// Adds to one value; adding zero makes no row.
    void add(CallPathId path, LocationId location, double value) {
        if (value != 0.0) editRow(path)[location.index()] += value;
    }

  private:
    double* newRow();

    std::vector<double*> rows_;                      ///< by call path; into `blocks_`, or null
    std::vector<std::unique_ptr<double[]>> blocks_;  ///< rows in the order in which they were made
    double* free_ = nullptr;                         ///< where the next row goes
    std::size_t freeRows_ = 0;                       ///< that fit there
    std::size_t made_ = 0;                           ///< rows so far
    std::size_t locations_ = 0;
    double missing_ = 0.0;
};

struct RowSums;

/// A row as files have it: numbers of their own type in this machine's byte order.
struct StoredRow {
    ValueType type;
    std::string_view bytes;
};

/// Who combines values where they are, because what they come to is far less to send than they are: sums, or
/// of minima and maxima the smallest or largest. Throws `holos::Error` when there is no answer.
///
/// Thread safety: safe.
class CombinedElsewhere {
  public:
    /// By location, over these call paths, each without what it calls.
    virtual std::vector<double> byLocation(std::span<const CallPathId> paths) const = 0;
    /// By call path, each without what it calls, over these locations.
    virtual std::vector<double> byCallPath(std::span<const LocationId> locations) const = 0;

  protected:
    ~CombinedElsewhere() = default;
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

    /// The sums that were stored together with the values, so that nobody has to read these for them; null:
    /// none were. They are what adding the values gives, bit for bit.
    virtual std::shared_ptr<const RowSums> storedSums() const { return nullptr; }

    /// True when `pick` costs far less than `row` for so many locations.
    virtual bool picksQuickly(std::size_t) const { return false; }
    /// The values of these locations, as far as the call path has a row.
    virtual void pick(CallPathId path, std::span<const LocationId> locations, std::span<double> values) const;

    /// True when `table` costs nothing.
    virtual bool isInMemory() const { return false; }
    /// True when values come from another machine, also by way of other rows: who has to answer at once does
    /// not read them.
    virtual bool isFar() const { return false; }
    /// Null when reading the values is as good.
    virtual const CombinedElsewhere* elsewhere() const { return nullptr; }
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

/// Rows that were read together, in the order of their call paths; those without values are left out.
class ReadRows {
  public:
    ReadRows(const Rows& rows, std::span<const CallPathId> paths);

    const std::vector<CallPathId>& paths() const { return paths_; }
    std::span<const double> row(std::size_t at) const {
        return {values_.get() + at * locations_, locations_};
    }
    /// The memory of the rows, which goes with it.
    std::unique_ptr<double[]> take() { return std::move(values_); }

    std::vector<double> results;  ///< by row: what was made of it

  private:
    std::vector<CallPathId> paths_;
    std::size_t locations_;
    std::unique_ptr<double[]> values_;
};

/// Passes through the rows of these call paths that have values, a few at a time: `make` makes a number of
/// each, on all processor cores and in any order, and `use` gets them in the order of the call paths, one
/// after the other. What these throw comes out.
void passThrough(const Rows& rows, std::span<const CallPathId> paths,
                 const std::function<double(std::span<const double>)>& make,
                 const std::function<void(const ReadRows&)>& use);

/// How many rows to treat together: enough to be worth a thread's while, few enough to stay in its cache.
std::size_t rowsPerBlock(std::size_t locations);

/// A call path's parent, by CallPathId; all that is needed to pass between the two kinds of values along the
/// call tree.
using Parents = std::vector<std::optional<CallPathId>>;
Parents parentsOf(const CallTree& tree);

/// From values exclusive along the call tree to inclusive ones, and back. Only for values that are sums.
void makeInclusive(SeverityTable& table, const Parents& parents);
void makeExclusive(SeverityTable& table, const Parents& parents);

}  // namespace holos::algebra
