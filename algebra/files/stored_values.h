// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/files/file_reader.h"
#include "algebra/model/structure.h"

namespace holos::algebra::values {

/// The fixed parts of index and data members (CUBE 4).
inline constexpr std::string_view kIndexMark = "CUBEX.INDEX";
inline constexpr std::string_view kDataMark = "CUBEX.DATA";
inline constexpr std::string_view kCompressedMark = "ZCUBEX.DATA";

/// Behind the mark of an index: uint32 byte order, uint16 version, uint8 form.
inline constexpr std::uint64_t kIndexHeader = 18;
inline constexpr std::uint32_t kNativeOrder = 1;
inline constexpr std::uint8_t kSparse = 1;
inline constexpr std::uint8_t kDense = 3;

/// Behind the rows of a data member, before sums: see `StoredSums`. The other one is of files without
/// least values.
inline constexpr std::string_view kSumsMark = "HOLOS.SUMS.2\n\n\n\n";
inline constexpr std::string_view kSumsMarkWithoutLeasts = "HOLOS.SUMS.1\n\n\n\n";

}  // namespace holos::algebra::values

namespace holos::algebra {

/// A number from bytes of this machine's order, or of the other one.
template <class T>
T loadNumber(const char* bytes, bool swapBytes) {
    char raw[sizeof(T)];
    std::memcpy(raw, bytes, sizeof(T));
    if (swapBytes) std::reverse(raw, raw + sizeof(T));
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
}

/// Appends a number in this machine's byte order.
template <class T>
void appendNumber(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// The type that CUBE calls `name` (`<dtype>`); unknown names are Double, as for CUBE's own reader.
ValueType valueTypeOf(std::string_view name);
/// What to write as `<dtype>`: the metric's own spelling while it means the metric's type.
std::string typeNameOf(const Metric& metric);

/// Bytes of one stored value; 0 for Compound, whose size this program does not need to know.
std::size_t sizeOf(ValueType type);

/// What a negative number becomes in an unsigned type of less than 64 bits.
enum class Negative : std::uint8_t {
    IsZero,
    CountsDown  ///< from the end of the type: readers find it out where it is more than what it is a part of
};

/// Stored bytes to doubles and back; `bytes` has `values.size() * sizeOf(type)` of them. Integers beyond 2^53
/// lose their last digits; on encoding, values are rounded and kept within the type's range, NaN becomes 0
/// for integers. Unsigned integers of 64 bits count on beyond both ends, as in programs that count down with
/// them: from 2^63 on they are negative, and negative ones are stored so.
void decode(ValueType type, const char* bytes, bool swapBytes, std::span<double> values);
void encode(ValueType type, std::span<const double> values, char* bytes,
            Negative negative = Negative::IsZero);
/// Integers exactly, as they are stored. `type` is one of integers.
void decodeIntegers(ValueType type, const char* bytes, bool swapBytes, std::span<std::int64_t> values);

}  // namespace holos::algebra

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

namespace holos::algebra {

/// The call paths in the order of their row numbers in a file, for metrics that are stored exclusive along
/// the call tree: depth first, parents before children.
std::vector<CallPathId> depthFirstRows(const CallTree& tree);

/// The order of metrics stored inclusive: a root; then for every node, recursively, all its children before
/// the first child's children. In 0(1(2),3): 0, 1, 3, 2.
std::vector<CallPathId> wideRows(const CallTree& tree);

/// What call paths are numbered with, by CallPathId: as in the file they come from, if that numbers all of
/// them once and without gaps.
std::vector<std::size_t> callPathNumbers(const CallTree& tree);

/// How call paths map to rows and locations to columns; shared by all metrics of a file.
struct RowLayout {
    RowLayout(const CallTree& tree, std::vector<std::uint64_t> columnNumbers);

    std::vector<std::uint32_t> depthFirst;  ///< row number of an exclusive metric, by CallPathId
    std::vector<std::uint32_t> wide;        ///< row number of an inclusive metric, by CallPathId
    std::vector<std::uint64_t> columns;     ///< by LocationId, ascending

    std::size_t callPaths() const { return depthFirst.size(); }
    std::uint64_t width() const { return columns.empty() ? 0 : columns.back() + 1; }
    /// In ascending order.
    std::span<const CallPathId> childrenOf(CallPathId path) const {
        const std::uint32_t begin = childBegin_[path.index()];
        return std::span(children_).subspan(begin, childBegin_[path.index() + 1] - begin);
    }

    std::optional<CallPathId> parentOf(CallPathId path) const { return parents_[path.index()]; }

  private:
    std::vector<std::optional<CallPathId>> parents_;
    std::vector<CallPathId> children_;       ///< of all call paths, one after the other
    std::vector<std::uint32_t> childBegin_;  ///< by CallPathId: its first in `children_`
};

}  // namespace holos::algebra
