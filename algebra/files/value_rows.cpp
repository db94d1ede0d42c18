// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/value_rows.h"

#include <algorithm>

#include "algebra/files/bytes.h"
#include "algebra/files/compression.h"
#include "algebra/files/value_format.h"
#include "algebra/files/value_types.h"

namespace holos::algebra {

StoredRows::StoredRows(const StoredValues& values, RowIndex index)
    : Rows(values.layout->callPaths(), values.layout->columns.size(), missingValue(values.type)),
      values_(values),
      index_(std::move(index)),
      rowBytes_(values.layout->width() * sizeOf(values.type)),
      mapped_(values.file, values.data->offset, values.data->size) {}

std::optional<std::uint64_t> StoredRows::position(CallPathId path) const {
    const RowLayout& layout = *values_.layout;
    const auto& numbers = values_.storage == Storage::Inclusive ? layout.wide : layout.depthFirst;
    const auto found = index_.find(numbers[path.index()]);
    return found && isStored(*found) ? found : std::nullopt;
}

std::span<const double> StoredRows::row(CallPathId path, std::span<double> scratch) const {
    const auto place = position(path);
    if (!place) return {};
    std::string unpacked;
    const std::string_view bytes = bytesAt(*place, unpacked);
    const std::span<double> row = scratch.first(locations());
    if (isDense()) {
        decode(values_.type, bytes.data(), swapBytes(), row);
        return row;
    }
    const auto& columns = values_.layout->columns;
    std::vector<double> all(values_.layout->width());
    decode(values_.type, bytes.data(), swapBytes(), all);
    std::ranges::transform(columns, row.begin(), [&all](std::uint64_t column) { return all[column]; });
    return row;
}

bool StoredRows::integers(CallPathId path, std::span<std::int64_t> values) const {
    const auto place = position(path);
    if (!place) return false;
    std::string unpacked;
    const std::string_view bytes = bytesAt(*place, unpacked);
    std::vector<std::int64_t> all(values_.layout->width());
    decodeIntegers(values_.type, bytes.data(), swapBytes(), all);
    std::ranges::transform(values_.layout->columns, values.begin(),
                           [&all](std::uint64_t column) { return all[column]; });
    return true;
}

std::optional<StoredRow> StoredRows::storedRow(CallPathId path, std::string& scratch) const {
    const auto place = position(path);
    if (!place || !isDense() || swapBytes()) return std::nullopt;
    return StoredRow{values_.type, bytesAt(*place, scratch)};
}

PlainRows::PlainRows(const StoredValues& values, RowIndex index)
    : StoredRows(values, std::move(index)),
      present_(std::min(rowCount(), (data().size - values::kDataMark.size()) / rowBytes())) {}

std::string_view PlainRows::bytesAt(std::uint64_t position, std::string&) const {
    return mapped().bytes(values::kDataMark.size() + position * rowBytes(), rowBytes());
}

CompressedRows::CompressedRows(const StoredValues& values, RowIndex index)
    : StoredRows(values, std::move(index)), streams_(rowCount()) {
    readTable();
}

void CompressedRows::readTable() {
    constexpr std::uint64_t kEntry = 24;
    const std::uint64_t head = values::kCompressedMark.size() + 8;
    if (data().size < head)
        file().fail("damaged values: the table of compressed rows is missing", data().offset);
    const auto count = loadNumber<std::uint64_t>(mapped().bytes(head - 8, 8).data(), swapBytes());
    if (count > (data().size - head) / kEntry || count > rowCount())
        file().fail("damaged values: impossible number of compressed rows: " + std::to_string(count),
                    data().offset);
    const std::uint64_t streams = head + count * kEntry;
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t at = head + k * kEntry;
        const char* const entry = mapped().bytes(at, kEntry).data();
        const auto place = loadNumber<std::uint64_t>(entry, swapBytes());
        const auto offset = loadNumber<std::uint64_t>(entry + 8, swapBytes());
        const auto length = loadNumber<std::uint64_t>(entry + 16, swapBytes());
        if (offset > data().size - streams || length > data().size - streams - offset ||
            place % rowBytes() != 0 || place / rowBytes() >= rowCount())
            file().fail("damaged values: a compressed row lies outside its member", data().offset + at);
        streams_[place / rowBytes()] = {at, streams + offset, length};
    }
}

std::string_view CompressedRows::bytesAt(std::uint64_t position, std::string& scratch) const {
    const Stream& stream = streams_[position];
    scratch.resize(rowBytes());
    if (!inflateInto(mapped().bytes(stream.offset, stream.length), scratch))
        file().fail("damaged values: a compressed row cannot be unpacked", data().offset + stream.entry);
    return scratch;
}

ExclusiveRows::ExclusiveRows(std::shared_ptr<const StoredRows> inclusive,
                             std::shared_ptr<const RowLayout> layout)
    : Rows(inclusive->callPaths(), inclusive->locations(), inclusive->missing()),
      inclusive_(std::move(inclusive)),
      layout_(std::move(layout)) {}

bool ExclusiveRows::hasRow(CallPathId path) const {
    const auto children = layout_->childrenOf(path);
    return inclusive_->hasRow(path) ||
           std::ranges::any_of(children, [this](CallPathId child) { return inclusive_->hasRow(child); });
}

void ExclusiveRows::subtractIntegers(CallPathId path, std::span<double> left) const {
    std::vector<std::int64_t> whole(locations(), 0);
    std::vector<std::int64_t> part(locations());
    inclusive_->integers(path, whole);
    for (const CallPathId child : layout_->childrenOf(path)) {
        if (!inclusive_->integers(child, part)) continue;
        std::ranges::transform(whole, part, whole.begin(), [](std::int64_t from, std::int64_t taken) {
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) -
                                             static_cast<std::uint64_t>(taken));
        });
    }
    std::ranges::transform(whole, left.begin(),
                           [](std::int64_t value) { return static_cast<double>(value); });
}

std::span<const double> ExclusiveRows::row(CallPathId path, std::span<double> scratch) const {
    if (!hasRow(path)) return {};
    const std::span<double> left = scratch.first(locations());
    if (inclusive_->hasIntegers()) {
        subtractIntegers(path, left);
        return left;
    }
    const auto whole = inclusive_->row(path, left);
    if (whole.empty()) std::ranges::fill(left, 0.0);
    std::vector<double> below;
    for (const CallPathId child : layout_->childrenOf(path)) {
        below.resize(locations());
        const auto part = inclusive_->row(child, below);
        std::transform(part.begin(), part.end(), left.begin(), left.begin(),
                       [](double taken, double from) { return from - taken; });
    }
    return left;
}

}  // namespace holos::algebra
