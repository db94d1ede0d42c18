// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algebra/files/tar_reader.h"
#include "algebra/model/call_extents.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// How rows map to call paths and columns to locations; shared by all metrics of a file.
struct RowLayout {
    std::vector<CallPathId> depthFirst;  ///< by row number of an exclusive metric
    std::vector<CallPathId> wide;        ///< by row number of an inclusive metric
    Parents parents;                     ///< by CallPathId
    std::vector<std::uint64_t> columns;  ///< by LocationId, ascending
    std::uint64_t width() const { return columns.empty() ? 0 : columns.back() + 1; }
};

/// One metric's values in a container; members that are absent mean that there are none.
struct StoredValues {
    std::shared_ptr<const FileReader> file;
    std::shared_ptr<const RowLayout> layout;
    std::optional<TarMember> index;
    std::optional<TarMember> data;
    ValueType type = ValueType::Double;
    Storage storage = Storage::Exclusive;
};

/// Reads the values, exclusive along the call tree whatever the file has. Memory grows with the rows that
/// have values. Throws `holos::Error` with the byte in the container.
SeverityTable readValues(const StoredValues& values);

}  // namespace holos::algebra
