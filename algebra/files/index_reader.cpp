// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/index_reader.h"

#include <algorithm>

#include "algebra/files/bytes.h"
#include "algebra/files/value_format.h"

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

}  // namespace holos::algebra
