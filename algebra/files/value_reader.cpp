// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/value_reader.h"

#include <algorithm>

#include "algebra/files/index_reader.h"
#include "algebra/files/value_format.h"
#include "algebra/files/value_rows.h"
#include "algebra/files/value_types.h"

namespace holos::algebra {
namespace {

RowsPtr openStored(const StoredValues& values) {
    const FileReader& file = *values.file;
    RowIndex index = readIndex(file, *values.index, values.layout->callPaths());
    const std::string mark = file.read(
        values.data->offset, std::min<std::uint64_t>(values.data->size, values::kCompressedMark.size()));
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
    RowsPtr stored = openStored(values);
    if (values.storage != Storage::Inclusive || missing != 0.0) return stored;
    return std::make_shared<ExclusiveRows>(std::move(stored), values.layout);
}

}  // namespace holos::algebra
