// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/files/index_reader.h"
#include "algebra/files/mapped_range.h"
#include "algebra/files/value_reader.h"
#include "algebra/model/rows.h"
#include "algebra/model/value_kinds.h"

namespace holos::algebra {

/// Rows as a data member has them: along the call tree whatever the metric's storage says.
class StoredRows : public Rows {
  public:
    StoredRows(const StoredValues& values, RowIndex index);

    bool hasRow(CallPathId path) const final { return path.index() < callPaths() && position(path); }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const final;
    std::optional<StoredRow> storedRow(CallPathId path, std::string& scratch) const final;
    bool hasIntegers() const { return isIntegral(values_.type); }
    /// A row of integers exactly; `values` has one for each location. False where there is no row.
    bool integers(CallPathId path, std::span<std::int64_t> values) const;

  protected:
    /// Bytes of a row.
    std::uint64_t rowBytes() const { return rowBytes_; }
    /// How many rows the index promises.
    std::uint64_t rowCount() const { return index_.count(callPaths()); }
    bool swapBytes() const { return index_.swapBytes; }
    const FileReader& file() const { return *values_.file; }
    TarMember data() const { return *values_.data; }
    /// The data member, present in full.
    const MappedRange& mapped() const { return mapped_; }

    /// Where the call path's row is among the stored ones; nothing when it is not there.
    std::optional<std::uint64_t> position(CallPathId path) const;
    virtual bool isStored(std::uint64_t position) const = 0;
    /// The bytes of a stored row, in the file or unpacked into `scratch`.
    virtual std::string_view bytesAt(std::uint64_t position, std::string& scratch) const = 0;

  private:
    /// Where there is no column without a location.
    bool isDense() const { return values_.layout->width() == locations(); }

    StoredValues values_;
    RowIndex index_;
    std::uint64_t rowBytes_;
    MappedRange mapped_;
};

/// `CUBEX.DATA`: rows back to back. Rows behind the member's end are missing.
class PlainRows final : public StoredRows {
  public:
    PlainRows(const StoredValues& values, RowIndex index);

  private:
    bool isStored(std::uint64_t position) const override { return position < present_; }
    std::string_view bytesAt(std::uint64_t position, std::string& scratch) const override;
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
    std::string_view bytesAt(std::uint64_t position, std::string& scratch) const override;
    void readTable();
    std::vector<Stream> streams_;  ///< by position
};

/// What is left of rows that are inclusive along the call tree when their children's rows are taken away.
/// Integers are subtracted exactly, as unsigned ones of 64 bits are.
class ExclusiveRows final : public Rows {
  public:
    ExclusiveRows(std::shared_ptr<const StoredRows> inclusive, std::shared_ptr<const RowLayout> layout);
    bool hasRow(CallPathId path) const override;
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override;

  private:
    void subtractIntegers(CallPathId path, std::span<double> left) const;

    std::shared_ptr<const StoredRows> inclusive_;
    std::shared_ptr<const RowLayout> layout_;
};

}  // namespace holos::algebra
