// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/value_reader.h"

#include <algorithm>

#include "algebra/files/index_reader.h"
#include "algebra/files/value_format.h"
#include "algebra/files/value_rows.h"
#include "algebra/files/value_types.h"

namespace holos::algebra {
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
    if (there == expected) return std::nullopt;
    return "its values take " + std::to_string(there) + " bytes instead of " + std::to_string(expected) +
           ", for " + std::to_string(rows) + " rows of " + std::to_string(width) + " locations";
}

}  // namespace holos::algebra
