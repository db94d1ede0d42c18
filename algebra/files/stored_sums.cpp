// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/stored_sums.h"

#include <algorithm>
#include <cstdint>

#include "algebra/files/value_types.h"
#include "algebra/model/row_sums.h"

namespace holos::algebra {
bool mayHaveSums(ValueType type) {
    constexpr std::size_t kNarrowest = 4;
    return type != ValueType::MinDouble && type != ValueType::MaxDouble && sizeOf(type) >= kNarrowest;
}

std::uint64_t sizeOfSums(std::uint64_t rows, std::uint64_t locations) {
    return values::kSumsMark.size() + (2 * rows + locations) * sizeof(double);
}

bool mayBeSums(std::uint64_t bytes, std::uint64_t rows, std::uint64_t locations) {
    const std::uint64_t whole = sizeOfSums(rows, locations);
    return bytes == whole || bytes == whole - rows * sizeof(double);
}

void SumsOfRows::add(std::span<const std::string_view> parts) {
    const std::size_t rowBytes = locations_ * sizeOf(type_);
    if (rowBytes == 0) return;
    memory_.resize(std::max(memory_.size(), parts.size()));
    std::vector<const double*> rows;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const std::size_t count = parts[part].size() / rowBytes;
        const auto* first = reinterpret_cast<const double*>(parts[part].data());
        if (type_ != ValueType::Double) {
            memory_[part].resize(count * locations_);
            decode(type_, parts[part].data(), false, memory_[part]);
            first = memory_[part].data();
        }
        for (std::size_t row = 0; row < count; ++row) rows.push_back(first + row * locations_);
    }
    const std::size_t known = sums_.rows.size();
    sums_.rows.resize(known + rows.size());
    sums_.leasts.resize(known + rows.size());
    addRows(rows, sums_.locations, sums_.rows.data() + known, sums_.leasts.data() + known);
}

std::string SumsOfRows::text() const {
    std::string bytes(values::kSumsMark);
    for (const std::vector<double>* const each : {&sums_.rows, &sums_.locations, &sums_.leasts})
        for (const double number : *each) appendNumber(bytes, number);
    return bytes;
}

std::unique_ptr<const StoredSums> readSums(const FilePart& data, std::uint64_t offset, std::uint64_t rows,
                                           std::uint64_t locations, bool swapBytes) {
    if (offset > data.size()) return nullptr;
    const std::uint64_t size = data.size() - offset;
    if (!mayBeSums(size, rows, locations)) return nullptr;
    std::string bytes(size, '\0');
    data.read(offset, bytes.size(), bytes.data());
    const bool hasLeasts = size == sizeOfSums(rows, locations) && bytes.starts_with(values::kSumsMark);
    if (!hasLeasts && !bytes.starts_with(values::kSumsMarkWithoutLeasts)) return nullptr;
    auto sums =
        std::make_unique<StoredSums>(StoredSums{std::vector<double>(rows), std::vector<double>(locations)});
    if (hasLeasts) sums->leasts.resize(rows);
    const char* at = bytes.data() + values::kSumsMark.size();
    for (std::vector<double>* const each : {&sums->rows, &sums->locations, &sums->leasts}) {
        decode(ValueType::Double, at, swapBytes, *each);
        at += each->size() * sizeof(double);
    }
    return sums;
}

}  // namespace holos::algebra
