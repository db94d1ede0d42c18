// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/stored_sums.h"

#include <algorithm>
#include <functional>

#include "algebra/files/value_format.h"

namespace holos::algebra {
bool mayHaveSums(ValueType type) {
    constexpr std::size_t kNarrowest = 4;
    return type != ValueType::MinDouble && type != ValueType::MaxDouble && sizeOf(type) >= kNarrowest;
}

std::uint64_t sizeOfSums(std::uint64_t rows, std::uint64_t locations) {
    return values::kSumsMark.size() + (rows + locations) * sizeof(double);
}

double SumsOfRows::sumOf(std::string_view row) const {
    thread_local std::vector<double> numbers;
    numbers.resize(locations_.size());
    decode(type_, row.data(), false, numbers);
    double sum = 0.0;
    for (const double number : numbers) sum += number;
    return sum;
}

void SumsOfRows::add(std::string_view row, double sum) {
    rows_.push_back(sum);
    decode(type_, row.data(), false, values_);
    std::ranges::transform(values_, locations_, locations_.begin(), std::plus<>());
}

std::string SumsOfRows::text() const {
    std::string bytes(values::kSumsMark);
    for (const double sum : rows_) appendNumber(bytes, sum);
    for (const double sum : locations_) appendNumber(bytes, sum);
    return bytes;
}

std::unique_ptr<const StoredSums> readSums(const FilePart& data, std::uint64_t offset, std::uint64_t rows,
                                           std::uint64_t locations, bool swapBytes) {
    if (offset > data.size() || data.size() - offset != sizeOfSums(rows, locations)) return nullptr;
    std::string bytes(data.size() - offset, '\0');
    data.read(offset, bytes.size(), bytes.data());
    if (!bytes.starts_with(values::kSumsMark)) return nullptr;
    auto sums =
        std::make_unique<StoredSums>(StoredSums{std::vector<double>(rows), std::vector<double>(locations)});
    const char* at = bytes.data() + values::kSumsMark.size();
    for (std::vector<double>* const each : {&sums->rows, &sums->locations}) {
        decode(ValueType::Double, at, swapBytes, *each);
        at += each->size() * sizeof(double);
    }
    return sums;
}

}  // namespace holos::algebra
