// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/files/file_reader.h"
#include "algebra/files/value_types.h"

namespace holos::algebra {

/// A large metric's sums stand behind the rows of its data member, so that trees of values can be shown, and
/// laws be tested, without reading the values: a mark, the sum of each row over the locations, the sum of
/// each location over the rows, the least value of each row, all in the byte order of the values. CUBE's
/// readers do not look behind the rows, and who writes the values anew leaves the sums out: they never belong
/// to other values.

/// Bytes of the rows from which on they are written.
inline constexpr std::uint64_t kSmallestWithSums = std::uint64_t{16} << 20;

/// Whether values of this type may have sums. With narrower ones the member might fill its last block, which
/// tar programs take for the end.
bool mayHaveSums(ValueType type);

std::uint64_t sizeOfSums(std::uint64_t rows, std::uint64_t locations);
/// Whether as much may stand behind rows; some files have no least values.
bool mayBeSums(std::uint64_t bytes, std::uint64_t rows, std::uint64_t locations);

struct StoredSums {
    std::vector<double> rows;  ///< in their order in the file
    std::vector<double> locations;
    std::vector<double> leasts = {};  ///< of the rows; empty in files that are without them
};

/// Adds up rows as they are stored, in their order.
class SumsOfRows {
  public:
    SumsOfRows(ValueType type, std::size_t locations) : type_(type), locations_(locations) {
        sums_.locations.resize(locations);
    }

    /// Parts in which rows stand back to back.
    void add(std::span<const std::string_view> parts);

    const StoredSums& found() const { return sums_; }
    /// What stands behind the rows.
    std::string text() const;

  private:
    ValueType type_;
    std::size_t locations_;
    StoredSums sums_;
    std::vector<std::vector<double>> memory_;  ///< by part: numbers of rows that are no doubles
};

/// The sums that stand at `offset` in a data member; null: none.
std::unique_ptr<const StoredSums> readSums(const FilePart& data, std::uint64_t offset, std::uint64_t rows,
                                           std::uint64_t locations, bool swapBytes);

}  // namespace holos::algebra
