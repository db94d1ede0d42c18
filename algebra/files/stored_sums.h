// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/files/file_reader.h"
#include "algebra/files/value_types.h"

namespace holos::algebra {

/// A large metric's sums stand behind the rows of its data member, so that trees of values can be shown
/// without reading the values: a mark, the sum of each row over the locations, the sum of each location over
/// the rows, all in the byte order of the values. CUBE's readers do not look behind the rows, and who writes
/// the values anew leaves the sums out: they never belong to other values.

/// Bytes of the rows from which on they are written.
inline constexpr std::uint64_t kSmallestWithSums = std::uint64_t{16} << 20;

/// Whether values of this type may have sums. With narrower ones the member might fill its last block, which
/// tar programs take for the end.
bool mayHaveSums(ValueType type);

std::uint64_t sizeOfSums(std::uint64_t rows, std::uint64_t locations);

/// Adds up rows as they are stored, in their order.
class SumsOfRows {
  public:
    SumsOfRows(ValueType type, std::size_t locations) : type_(type), locations_(locations, 0.0) {}

    /// Of a row's bytes, over its locations.
    double sumOf(std::string_view row) const;
    void add(std::string_view row, double sum);
    /// What stands behind the rows.
    std::string text() const;

  private:
    ValueType type_;
    std::vector<double> rows_;
    std::vector<double> locations_;
    std::vector<double> values_ = locations_;
};

struct StoredSums {
    std::vector<double> rows;  ///< in their order in the file
    std::vector<double> locations;
};

/// The sums that stand at `offset` in a data member; null: none.
std::unique_ptr<const StoredSums> readSums(const FilePart& data, std::uint64_t offset, std::uint64_t rows,
                                           std::uint64_t locations, bool swapBytes);

}  // namespace holos::algebra
