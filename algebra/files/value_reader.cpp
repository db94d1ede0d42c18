// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/value_reader.h"

#include <algorithm>
#include <span>

#include "algebra/files/bytes.h"
#include "algebra/files/compression.h"
#include "algebra/files/index_reader.h"
#include "algebra/files/value_format.h"
#include "algebra/files/value_types.h"
#include "algebra/model/call_extents.h"

namespace holos::algebra {
namespace {

constexpr std::uint64_t kChunk = 4 << 20;

/// Turns stored rows into rows of a table.
class TableBuilder {
  public:
    TableBuilder(const StoredValues& values, const RowIndex& index)
        : layout_(*values.layout),
          rows_(values.storage == Storage::Inclusive ? layout_.wide : layout_.depthFirst),
          index_(index),
          type_(values.type),
          missing_(missingValue(values.type)),
          table_(layout_.parents.size(), layout_.columns.size(), missing_),
          contiguous_(layout_.width() == layout_.columns.size()) {}

    std::uint64_t rowBytes() const { return layout_.width() * sizeOf(type_); }
    std::uint64_t rowCount() const { return index_.count(rows_.size()); }

    /// The k-th row of the data member.
    void addRow(std::uint64_t k, const char* bytes) {
        stored_.resize(layout_.width());
        decode(type_, bytes, index_.swapBytes, stored_);
        if (!contiguous_)
            for (std::size_t at = 0; at < layout_.columns.size(); ++at)
                stored_[at] = stored_[layout_.columns[at]];
        const std::span<const double> row(stored_.data(), layout_.columns.size());
        if (std::all_of(row.begin(), row.end(), [&](double value) { return value == missing_; })) return;
        std::copy(row.begin(), row.end(), table_.editRow(rows_[index_.row(k)]).begin());
    }

    SeverityTable take() { return std::move(table_); }

  private:
    const RowLayout& layout_;
    const std::vector<CallPathId>& rows_;
    const RowIndex& index_;
    ValueType type_;
    double missing_;
    SeverityTable table_;
    bool contiguous_;
    std::vector<double> stored_;
};

/// `CUBEX.DATA`: rows back to back. Rows behind the member's end are missing.
void readPlainRows(const StoredValues& values, TableBuilder& builder) {
    const FileReader& file = *values.file;
    const std::uint64_t begin = values.data->offset + values::kDataMark.size();
    const std::uint64_t present = (values.data->size - values::kDataMark.size()) / builder.rowBytes();
    const std::uint64_t count = std::min(builder.rowCount(), present);
    const std::uint64_t step = std::max<std::uint64_t>(1, kChunk / builder.rowBytes());
    for (std::uint64_t first = 0; first < count; first += step) {
        const std::uint64_t rows = std::min(step, count - first);
        const std::string chunk = file.read(begin + first * builder.rowBytes(), rows * builder.rowBytes());
        for (std::uint64_t k = 0; k < rows; ++k)
            builder.addRow(first + k, chunk.data() + k * builder.rowBytes());
    }
}

/// `ZCUBEX.DATA`: a table of (uncompressed offset, offset behind the table, compressed length), then one zlib
/// stream per row.
void readCompressedRows(const StoredValues& values, bool swapBytes, TableBuilder& builder) {
    const FileReader& file = *values.file;
    constexpr std::uint64_t kEntry = 24;
    const std::uint64_t head = values::kCompressedMark.size() + 8;
    const TarMember data = *values.data;
    if (data.size < head) file.fail("damaged values: the table of compressed rows is missing", data.offset);
    const auto count = loadNumber<std::uint64_t>(file.read(data.offset + head - 8, 8).data(), swapBytes);
    if (count > (data.size - head) / kEntry || count > builder.rowCount())
        file.fail("damaged values: impossible number of compressed rows: " + std::to_string(count),
                  data.offset);

    const std::string table = file.read(data.offset + head, count * kEntry);
    const std::uint64_t streams = head + count * kEntry;
    for (std::uint64_t k = 0; k < count; ++k) {
        const char* const entry = table.data() + k * kEntry;
        const auto place = loadNumber<std::uint64_t>(entry, swapBytes);
        const auto offset = loadNumber<std::uint64_t>(entry + 8, swapBytes);
        const auto length = loadNumber<std::uint64_t>(entry + 16, swapBytes);
        const std::uint64_t at = data.offset + head + k * kEntry;
        if (offset > data.size - streams || length > data.size - streams - offset ||
            place % builder.rowBytes() != 0 || place / builder.rowBytes() >= builder.rowCount())
            file.fail("damaged values: a compressed row lies outside its member", at);
        const auto row = inflate(file.read(data.offset + streams + offset, length), builder.rowBytes());
        if (!row || row->size() != builder.rowBytes())
            file.fail("damaged values: a compressed row cannot be unpacked", at);
        builder.addRow(place / builder.rowBytes(), row->data());
    }
}

}  // namespace

SeverityTable readValues(const StoredValues& values) {
    const RowLayout& layout = *values.layout;
    const SeverityTable none(layout.parents.size(), layout.columns.size(), missingValue(values.type));
    if (!values.index || !values.data) return none;
    const RowIndex index = readIndex(*values.file, *values.index, layout.parents.size());
    TableBuilder builder(values, index);
    if (builder.rowBytes() == 0) return none;

    const FileReader& file = *values.file;
    const std::string mark = file.read(
        values.data->offset, std::min<std::uint64_t>(values.data->size, values::kCompressedMark.size()));
    if (mark == values::kCompressedMark)
        readCompressedRows(values, index.swapBytes, builder);
    else if (mark.starts_with(values::kDataMark))
        readPlainRows(values, builder);
    else
        file.fail("damaged values: \"CUBEX.DATA\" was expected", values.data->offset);

    SeverityTable table = builder.take();
    if (values.storage == Storage::Inclusive && missingValue(values.type) == 0.0)
        makeExclusive(table, layout.parents);
    return table;
}

}  // namespace holos::algebra
