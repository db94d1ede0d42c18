// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/value_reader.h"

#include <algorithm>
#include <cmath>

#include "algebra/files/packed/compression.h"
#include "algebra/files/stored_values.h"
#include "algebra/model/row_sums.h"

namespace holos::algebra {

std::optional<std::uint64_t> RowIndex::find(std::uint64_t row) const {
    if (dense) return row;
    const auto found = std::ranges::lower_bound(rows, row);
    if (found == rows.end() || *found != row) return std::nullopt;
    return static_cast<std::uint64_t>(found - rows.begin());
}

RowIndex readIndex(const FileReader& file, TarMember member, std::uint64_t allRows) {
    const std::string bytes = file.read(member.offset, member.size);
    if (!bytes.starts_with(values::kIndexMark))
        file.fail("damaged values: \"CUBEX.INDEX\" was expected", member.offset);
    if (bytes.size() < values::kIndexHeader)
        file.fail("damaged values: the index ends too early", member.offset);

    RowIndex index;
    index.swapBytes = loadNumber<std::uint32_t>(bytes.data() + 11, false) != values::kNativeOrder;
    const auto form = static_cast<std::uint8_t>(bytes[17]);
    index.dense = form == values::kDense;
    if (index.dense) return index;
    if (form != values::kSparse)
        file.fail("damaged values: an index of form 1 or 3 was expected, not " + std::to_string(form),
                  member.offset + 17);
    if (bytes.size() < values::kIndexHeader + 4) return index;  // CubeLib leaves out a count of zero

    const auto count = loadNumber<std::uint32_t>(bytes.data() + values::kIndexHeader, index.swapBytes);
    const std::uint64_t begin = values::kIndexHeader + 4;
    if (count > (bytes.size() - begin) / 4)
        file.fail("damaged values: the index ends before its " + std::to_string(count) + " rows",
                  member.offset);
    index.rows.reserve(count);
    for (std::uint64_t k = 0; k < count; ++k) {
        const auto row = loadNumber<std::uint32_t>(bytes.data() + begin + 4 * k, index.swapBytes);
        if (row >= allRows || (!index.rows.empty() && row <= index.rows.back()))
            file.fail("damaged values: row " + std::to_string(row) + " is out of order or beyond the " +
                          std::to_string(allRows) + " call paths",
                      member.offset + begin + 4 * k);
        index.rows.push_back(row);
    }
    return index;
}

StoredRows::StoredRows(const StoredValues& values, RowIndex index)
    : Rows(values.layout->callPaths(), values.layout->columns.size(), missingValue(values.type)),
      values_(values),
      index_(std::move(index)),
      rowBytes_(values.layout->width() * sizeOf(values.type)),
      bytes_(values.file, values.data->offset, values.data->size) {}

std::optional<std::uint64_t> StoredRows::position(CallPathId path) const {
    const RowLayout& layout = *values_.layout;
    const auto& numbers = values_.storage == Storage::Inclusive ? layout.wide : layout.depthFirst;
    const auto found = index_.find(numbers[path.index()]);
    return found && isStored(*found) ? found : std::nullopt;
}

namespace {

/// A thread's room for one row, which keeps its size from row to row.
template <class Element>
std::vector<Element>& rowBuffer(std::size_t size) {
    thread_local std::vector<Element> buffer;
    buffer.resize(size);
    return buffer;
}

}  // namespace

std::string_view StoredRows::bytesAt(std::uint64_t position, std::string& scratch) const {
    scratch.resize(rowBytes_);
    readRow(position, scratch);
    return scratch;
}

std::span<const double> StoredRows::row(CallPathId path, std::span<double> scratch) const {
    const auto place = position(path);
    if (!place) return {};
    const std::span<double> row = scratch.first(locations());
    if (isDense() && !isIntegral(values_.type) && !swapBytes()) {
        readRow(*place, {reinterpret_cast<char*>(row.data()), rowBytes_});
        return row;
    }
    std::vector<char>& bytes = rowBuffer<char>(rowBytes_);
    readRow(*place, bytes);
    if (isDense()) {
        decode(values_.type, bytes.data(), swapBytes(), row);
        return row;
    }
    const auto& columns = values_.layout->columns;
    std::vector<double>& all = rowBuffer<double>(values_.layout->width());
    decode(values_.type, bytes.data(), swapBytes(), all);
    std::ranges::transform(columns, row.begin(), [&all](std::uint64_t column) { return all[column]; });
    return row;
}

bool StoredRows::integers(CallPathId path, std::span<std::int64_t> values) const {
    const auto place = position(path);
    if (!place) return false;
    std::vector<char>& bytes = rowBuffer<char>(rowBytes_);
    readRow(*place, bytes);
    std::vector<std::int64_t>& all = rowBuffer<std::int64_t>(values_.layout->width());
    decodeIntegers(values_.type, bytes.data(), swapBytes(), all);
    std::ranges::transform(values_.layout->columns, values.begin(),
                           [&all](std::uint64_t column) { return all[column]; });
    return true;
}

std::int64_t StoredRows::numberRange() const {
    constexpr std::size_t kBitsOfByte = 8;
    const std::size_t bytes = sizeOf(values_.type);
    const bool isNarrow = isUnsigned(values_.type) && bytes < sizeof(std::int64_t);
    return isNarrow ? std::int64_t{1} << (kBitsOfByte * bytes) : 0;
}

std::optional<StoredRow> StoredRows::storedRow(CallPathId path, std::string& scratch) const {
    const auto place = position(path);
    if (!place || !isDense() || swapBytes()) return std::nullopt;
    return StoredRow{values_.type, bytesAt(*place, scratch)};
}

std::optional<std::vector<CallPathId>> StoredRows::pathsOfRows() const {
    const auto& numbers = values_.layout->depthFirst;
    for (std::size_t at = 0; at < numbers.size(); ++at)
        if (numbers[at] != at) return std::nullopt;
    std::vector<CallPathId> paths;
    for (std::uint64_t at = 0; at < rowCount(); ++at) paths.emplace_back(index_.dense ? at : index_.rows[at]);
    return paths;
}

PlainRows::PlainRows(const StoredValues& values, RowIndex index)
    : StoredRows(values, std::move(index)),
      present_(std::min(rowCount(), (data().size - values::kDataMark.size()) / rowBytes())) {}

void PlainRows::readRow(std::uint64_t position, std::span<char> into) const {
    bytes().read(values::kDataMark.size() + position * rowBytes(), into.size(), into.data());
}

/// A number costs a call of the system, as a row does.
bool PlainRows::picksQuickly(std::size_t locations) const {
    constexpr std::uint64_t kBytesPerCall = 8192;
    return locations * kBytesPerCall <= rowBytes();
}

void PlainRows::pick(CallPathId path, std::span<const LocationId> locations, std::span<double> into) const {
    const auto place = position(path);
    std::ranges::fill(into, missing());
    if (!place) return;
    const std::uint64_t size = sizeOf(type());
    const std::uint64_t begin = values::kDataMark.size() + *place * rowBytes();
    for (std::size_t at = 0; at < locations.size(); ++at) {
        char number[sizeof(double)];
        bytes().readAlone(begin + columnOf(locations[at]) * size, size, number);
        decode(type(), number, swapBytes(), into.subspan(at, 1));
    }
}

std::shared_ptr<const RowSums> PlainRows::storedSums() const {
    const auto paths = mayHaveSums() ? pathsOfRows() : std::nullopt;
    const std::uint64_t end = values::kDataMark.size() + rowCount() * rowBytes();
    const auto sums = paths ? readSums(bytes(), end, rowCount(), locations(), swapBytes()) : nullptr;
    if (!sums) return nullptr;
    auto found = std::make_shared<RowSums>();
    found->locations = sums->locations;
    const auto byPath = [&](const std::vector<double>& ofRows, std::vector<double>& into) {
        if (ofRows.empty()) return;
        into.resize(callPaths());
        for (std::size_t row = 0; row < paths->size(); ++row) into[(*paths)[row].index()] = ofRows[row];
    };
    found->paths.resize(callPaths());
    byPath(sums->rows, found->paths);
    byPath(sums->leasts, found->leasts);
    return found;
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
    char entry[kEntry];
    bytes().read(head - 8, 8, entry);
    const auto count = loadNumber<std::uint64_t>(entry, swapBytes());
    if (count > (data().size - head) / kEntry || count > rowCount())
        file().fail("damaged values: impossible number of compressed rows: " + std::to_string(count),
                    data().offset);
    const std::uint64_t streams = head + count * kEntry;
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t at = head + k * kEntry;
        bytes().read(at, kEntry, entry);
        const auto place = loadNumber<std::uint64_t>(entry, swapBytes());
        const auto offset = loadNumber<std::uint64_t>(entry + 8, swapBytes());
        const auto length = loadNumber<std::uint64_t>(entry + 16, swapBytes());
        if (offset > data().size - streams || length > data().size - streams - offset ||
            place % rowBytes() != 0 || place / rowBytes() >= rowCount())
            file().fail("damaged values: a compressed row lies outside its member", data().offset + at);
        streams_[place / rowBytes()] = {at, streams + offset, length};
    }
}

void CompressedRows::readRow(std::uint64_t position, std::span<char> into) const {
    const Stream& stream = streams_[position];
    thread_local std::string packed;
    packed.resize(stream.length);
    bytes().read(stream.offset, stream.length, packed.data());
    if (!inflateInto(packed, into))
        file().fail("damaged values: row " + std::to_string(position) + " of the metric \"" + metric() +
                        "\" cannot be unpacked",
                    data().offset + stream.entry);
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

bool ExclusiveRows::integers(CallPathId path, std::span<std::int64_t> values) const {
    if (!inclusive_->integers(path, values)) return false;
    const std::int64_t range = inclusive_->numberRange();
    const auto parent = layout_->parentOf(path);
    const auto mayBeNegative = [range](std::int64_t value) { return value >= range / 2; };
    if (range == 0 || !parent || std::ranges::none_of(values, mayBeNegative)) return true;
    std::vector<std::int64_t> above(values.size());
    if (!integers(*parent, above)) return true;
    for (std::size_t at = 0; at < values.size(); ++at)
        if (mayBeNegative(values[at]) && values[at] > above[at]) values[at] -= range;
    return true;
}

void ExclusiveRows::subtractIntegers(CallPathId path, std::span<double> left) const {
    std::vector<std::int64_t> whole(locations(), 0);
    std::vector<std::int64_t> part(locations());
    integers(path, whole);
    for (const CallPathId child : layout_->childrenOf(path)) {
        if (!integers(child, part)) continue;
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

namespace {

std::string readMark(const StoredValues& values) {
    return values.file->read(values.data->offset,
                             std::min<std::uint64_t>(values.data->size, values::kCompressedMark.size()));
}

std::shared_ptr<const StoredRows> openStored(const StoredValues& values) {
    const FileReader& file = *values.file;
    RowIndex index = readIndex(file, *values.index, values.layout->callPaths());
    const std::string mark = readMark(values);
    if (mark == values::kCompressedMark) return std::make_shared<CompressedRows>(values, std::move(index));
    if (mark.starts_with(values::kDataMark)) return std::make_shared<PlainRows>(values, std::move(index));
    file.fail("damaged values: \"CUBEX.DATA\" was expected", values.data->offset);
}

}  // namespace

RowsPtr openValues(const StoredValues& values) {
    const RowLayout& layout = *values.layout;
    const double missing = missingValue(values.type);
    if (!values.index || !values.data || layout.width() == 0)
        return rowsOf(std::make_shared<SeverityTable>(layout.callPaths(), layout.columns.size(), missing));
    std::shared_ptr<const StoredRows> stored = openStored(values);
    if (values.storage != Storage::Inclusive || missing != 0.0) return stored;
    return std::make_shared<ExclusiveRows>(std::move(stored), values.layout);
}

bool hasTrueSums(const StoredValues& values) {
    const RowsPtr rows = openValues(values);
    const auto stored = rows->storedSums();
    if (!stored) return true;
    const RowSums sums = sumsOf(*rows);
    const auto isSame = [](double one, double other) {
        return one == other || (std::isnan(one) && std::isnan(other));
    };
    return std::ranges::equal(sums.paths, stored->paths, isSame) &&
           std::ranges::equal(sums.locations, stored->locations, isSame) &&
           (stored->leasts.empty() || std::ranges::equal(sums.leasts, stored->leasts));
}

std::optional<std::string> sizeProblem(const StoredValues& values) {
    if (!values.index || !values.data || values.layout->width() == 0) return std::nullopt;
    const RowIndex index = readIndex(*values.file, *values.index, values.layout->callPaths());
    const std::uint64_t rows = index.count(values.layout->callPaths());
    const bool hasCount = !index.dense && values.index->size > values::kIndexHeader;
    const std::uint64_t indexBytes = values::kIndexHeader + (hasCount ? 4 + 4 * rows : 0);
    if (values.index->size > indexBytes)
        return "its index has " + std::to_string(values.index->size) + " bytes instead of " +
               std::to_string(indexBytes);
    if (readMark(values) == values::kCompressedMark) return std::nullopt;  // each row knows its size
    const std::uint64_t width = values.layout->width();
    const std::uint64_t expected = rows * width * sizeOf(values.type);
    const std::uint64_t there = values.data->size - values::kDataMark.size();
    if (there == expected || (there > expected && mayBeSums(there - expected, rows, width)))
        return std::nullopt;
    return "its values take " + std::to_string(there) + " bytes instead of " + std::to_string(expected) +
           ", for " + std::to_string(rows) + " rows of " + std::to_string(width) + " locations";
}

}  // namespace holos::algebra
