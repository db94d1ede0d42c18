// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "algebra/files/row_order.h"
#include "algebra/files/tar_reader.h"
#include "algebra/model/rows.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// One metric's values in a container; members that are absent mean that there are none.
struct StoredValues {
    std::shared_ptr<const FileReader> file;
    std::shared_ptr<const RowLayout> layout;
    std::optional<TarMember> index;
    std::optional<TarMember> data;
    ValueType type = ValueType::Double;
    Storage storage = Storage::Exclusive;
};

/// The values, exclusive along the call tree whatever the file has. Reads the index; a row is read when it is
/// asked for. Throws `holos::Error` with the byte in the container.
RowsPtr openValues(const StoredValues& values);

/// Why the members are not as large as rows, locations and type of the values ask for; nothing when they are.
/// Reading takes rows that are missing for zero, and passes over what is too much. Throws as `openValues`.
std::optional<std::string> sizeProblem(const StoredValues& values);

}  // namespace holos::algebra
