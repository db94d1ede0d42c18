// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algebra/files/file_reader.h"
#include "algebra/files/stored_values.h"
#include "algebra/files/tar.h"
#include "algebra/model/rows.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// Which rows a data member holds, in their order there.
struct RowIndex {
    bool swapBytes = false;           ///< written on a machine of the other byte order
    bool dense = false;               ///< all rows; `rows` is empty then
    std::vector<std::uint32_t> rows;  ///< strictly ascending

    /// Which of the stored rows has this number, if any.
    std::optional<std::uint64_t> find(std::uint64_t row) const;
    std::uint64_t count(std::uint64_t allRows) const { return dense ? allRows : rows.size(); }
};

/// Reads an index member. Throws `holos::Error` for a foreign or truncated one, and for row numbers that are
/// not ascending or not below `allRows`.
RowIndex readIndex(const FileReader& file, TarMember member, std::uint64_t allRows);

/// One metric's values in a container; members that are absent mean that there are none.
struct StoredValues {
    std::shared_ptr<const FileReader> file;
    std::shared_ptr<const RowLayout> layout;
    std::optional<TarMember> index;
    std::optional<TarMember> data;
    ValueType type = ValueType::Double;
    Storage storage = Storage::Exclusive;
    std::string metric = {};  ///< its name, for messages
};

/// The values, exclusive along the call tree whatever the file has. Reads the index; a row is read when it is
/// asked for. Throws `holos::Error` with the byte in the container.
RowsPtr openValues(const StoredValues& values);

/// Whether the sums that stand with the values, if any do, are those of the values. Reads all of them. Throws
/// as `openValues`.
bool hasTrueSums(const StoredValues& values);

/// Why the members are not as large as rows, locations and type of the values ask for; nothing when they are.
/// Reading takes rows that are missing for zero, and passes over what is too much. Throws as `openValues`.
std::optional<std::string> sizeProblem(const StoredValues& values);

/// Rows as a data member has them: along the call tree whatever the metric's storage says.
class StoredRows : public Rows {
  public:
    StoredRows(const StoredValues& values, RowIndex index);

    bool hasRow(CallPathId path) const final { return path.index() < callPaths() && position(path); }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const final;
    std::optional<StoredRow> storedRow(CallPathId path, std::string& scratch) const final;
    bool hasIntegers() const { return isIntegral(values_.type); }
    /// Of unsigned integers with less than 64 bits, how many there are of them; else 0.
    std::int64_t numberRange() const;
    /// A row of integers exactly; `values` has one for each location. False where there is no row.
    bool integers(CallPathId path, std::span<std::int64_t> values) const;

  protected:
    /// Bytes of a row.
    std::uint64_t rowBytes() const { return rowBytes_; }
    /// How many rows the index promises.
    std::uint64_t rowCount() const { return index_.count(callPaths()); }
    bool swapBytes() const { return index_.swapBytes; }
    ValueType type() const { return values_.type; }
    std::uint64_t columnOf(LocationId location) const { return values_.layout->columns[location.index()]; }
    /// Where there is no column without a location.
    bool isDense() const { return values_.layout->width() == locations(); }
    const FileReader& file() const { return *values_.file; }
    TarMember data() const { return *values_.data; }
    const std::string& metric() const { return values_.metric; }
    /// The call path of a stored row; nothing where call paths are not in the order of their rows.
    std::optional<std::vector<CallPathId>> pathsOfRows() const;
    bool mayHaveSums() const { return isDense() && values_.storage != Storage::Inclusive; }
    /// The bytes of the data member.
    const FilePart& bytes() const { return bytes_; }

    /// Where the call path's row is among the stored ones; nothing when it is not there.
    std::optional<std::uint64_t> position(CallPathId path) const;
    virtual bool isStored(std::uint64_t position) const = 0;
    /// The bytes of a stored row.
    virtual void readRow(std::uint64_t position, std::span<char> into) const = 0;

  private:
    std::string_view bytesAt(std::uint64_t position, std::string& scratch) const;
    StoredValues values_;
    RowIndex index_;
    std::uint64_t rowBytes_;
    FilePart bytes_;
};

/// `CUBEX.DATA`: rows back to back. Rows behind the member's end are missing.
class PlainRows final : public StoredRows {
  public:
    PlainRows(const StoredValues& values, RowIndex index);

    std::shared_ptr<const RowSums> storedSums() const override;
    bool picksQuickly(std::size_t locations) const override;
    void pick(CallPathId path, std::span<const LocationId> locations, std::span<double> into) const override;

  private:
    bool isStored(std::uint64_t position) const override { return position < present_; }
    void readRow(std::uint64_t position, std::span<char> into) const override;
    std::uint64_t present_;
};

/// `ZCUBEX.DATA`: a table of (uncompressed offset, offset behind the table, compressed length), then one zlib
/// stream per row.
class CompressedRows final : public StoredRows {
  public:
    CompressedRows(const StoredValues& values, RowIndex index);

  private:
    struct Stream {
        std::uint64_t entry = 0;   ///< place of its entry in the table; 0: there is none
        std::uint64_t offset = 0;  ///< in the member
        std::uint64_t length = 0;
    };
    bool isStored(std::uint64_t position) const override { return streams_[position].entry != 0; }
    void readRow(std::uint64_t position, std::span<char> into) const override;
    void readTable();
    std::vector<Stream> streams_;  ///< by position
};

/// What is left of rows that are inclusive along the call tree when their children's rows are taken away.
/// Integers are subtracted exactly, also unsigned ones of which some count down below zero.
class ExclusiveRows final : public Rows {
  public:
    ExclusiveRows(std::shared_ptr<const StoredRows> inclusive, std::shared_ptr<const RowLayout> layout);
    bool hasRow(CallPathId path) const override;
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override;

  private:
    /// As they count. Where a call path has more than its parent, and so much that it can be a negative
    /// number in as many bits, it is that number.
    bool integers(CallPathId path, std::span<std::int64_t> values) const;
    void subtractIntegers(CallPathId path, std::span<double> left) const;

    std::shared_ptr<const StoredRows> inclusive_;
    std::shared_ptr<const RowLayout> layout_;
};

}  // namespace holos::algebra
