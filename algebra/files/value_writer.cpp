// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/value_writer.h"

#include <algorithm>

#include "algebra/files/bytes.h"
#include "algebra/files/tar_format.h"
#include "algebra/files/value_format.h"
#include "algebra/files/value_types.h"

namespace holos::algebra {
namespace {

constexpr std::size_t kChunk = 1 << 20;

std::vector<std::uint32_t> rowsWithValues(const SeverityTable& table, const std::vector<CallPathId>& rows) {
    std::vector<std::uint32_t> found;
    for (std::size_t number = 0; number < rows.size(); ++number) {
        const auto row = table.row(rows[number]);
        if (std::any_of(row.begin(), row.end(), [&](double value) { return value != table.missing(); }))
            found.push_back(static_cast<std::uint32_t>(number));
    }
    return found;
}

std::string sparseIndex(const std::vector<std::uint32_t>& rows) {
    std::string bytes(values::kIndexMark);
    append(bytes, values::kNativeOrder);
    append(bytes, std::uint16_t{0});
    append(bytes, values::kSparse);
    append(bytes, static_cast<std::uint32_t>(rows.size()));
    for (const std::uint32_t row : rows) append(bytes, row);
    return bytes;
}

}  // namespace

void writeValues(const SeverityTable& table, ValueType type, const std::vector<CallPathId>& rows,
                 const std::string& stem, TarWriter& tar) {
    if (table.callPaths() == 0) return;
    const auto present = rowsWithValues(table, rows);
    const std::size_t rowBytes = table.locations() * sizeOf(type);
    const std::uint64_t size = values::kDataMark.size() + std::uint64_t{present.size()} * rowBytes;
    // CUBE's own reader ignores surplus bytes, but other tar programs stop behind a member of whole blocks.
    const std::uint64_t surplus = size % tar::kBlock == 0 ? 1 : 0;

    tar.add(stem + ".index", sparseIndex(present));
    tar.begin(stem + ".data", size + surplus);
    std::string chunk(values::kDataMark);
    for (const std::uint32_t number : present) {
        const std::size_t at = chunk.size();
        chunk.resize(at + rowBytes);
        encode(type, table.row(rows[number]), chunk.data() + at);
        if (chunk.size() < kChunk) continue;
        tar.append(chunk);
        chunk.clear();
    }
    tar.append(chunk.append(surplus, '\0'));
    tar.end();
}

}  // namespace holos::algebra
