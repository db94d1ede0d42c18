// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algebra/files/tar_reader.h"

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

}  // namespace holos::algebra
