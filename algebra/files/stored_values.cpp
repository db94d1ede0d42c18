// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/stored_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "algebra/model/row_sums.h"

namespace holos::algebra {
namespace {

struct Name {
    std::string_view name;
    ValueType type;
};

/// The first name of a type is the one that is written.
constexpr std::array kNames{
    Name{"DOUBLE", ValueType::Double},       Name{"FLOAT", ValueType::Double},
    Name{"INT8", ValueType::Int8},           Name{"UINT8", ValueType::UInt8},
    Name{"CHAR", ValueType::UInt8},          Name{"INT16", ValueType::Int16},
    Name{"SHORT INT", ValueType::Int16},     Name{"SIGNED SHORT INT", ValueType::Int16},
    Name{"UINT16", ValueType::UInt16},       Name{"UNSIGNED SHORT INT", ValueType::UInt16},
    Name{"INT32", ValueType::Int32},         Name{"INT", ValueType::Int32},
    Name{"SIGNED INT", ValueType::Int32},    Name{"UINT32", ValueType::UInt32},
    Name{"UNSIGNED INT", ValueType::UInt32}, Name{"INT64", ValueType::Int64},
    Name{"INTEGER", ValueType::Int64},       Name{"SIGNED INTEGER", ValueType::Int64},
    Name{"UINT64", ValueType::UInt64},       Name{"UNSIGNED INTEGER", ValueType::UInt64},
    Name{"MINDOUBLE", ValueType::MinDouble}, Name{"MAXDOUBLE", ValueType::MaxDouble},
    Name{"COMPLEX", ValueType::Compound},    Name{"RATE", ValueType::Compound},
    Name{"TAU_ATOMIC", ValueType::Compound}, Name{"HISTOGRAM", ValueType::Compound},
    Name{"NDOUBLES", ValueType::Compound},   Name{"SCALE_FUNC", ValueType::Compound},
};

/// What a stored number counts: unsigned ones of 64 bits count on beyond both ends.
template <class T>
auto meaningOf(T stored) {
    if constexpr (std::is_same_v<T, std::uint64_t>)
        return static_cast<std::int64_t>(stored);
    else
        return stored;
}

template <class T>
void decodeAll(const char* bytes, bool swapBytes, std::span<double> values) {
    if constexpr (std::is_same_v<T, double>) {
        if (!swapBytes && !values.empty()) {
            std::memcpy(values.data(), bytes, values.size_bytes());
            return;
        }
    }
    for (double& value : values) {
        value = static_cast<double>(meaningOf(loadNumber<T>(bytes, swapBytes)));
        bytes += sizeof(T);
    }
}

template <class T>
T toStored(double value, Negative negative) {
    if constexpr (std::is_floating_point_v<T>) {
        return value;
    } else {
        using Limits = std::numeric_limits<T>;
        if (std::isnan(value)) return 0;
        if constexpr (std::is_unsigned_v<T>)
            if (value < 0 && (sizeof(T) == sizeof(std::uint64_t) || negative == Negative::CountsDown))
                return static_cast<T>(toStored<std::int64_t>(value, negative));
        const double rounded = std::nearbyint(value);
        // The limits of 64-bit types are no doubles; compared as doubles they are one too large, hence >=.
        if (rounded >= static_cast<double>(Limits::max())) return Limits::max();
        if (rounded <= static_cast<double>(Limits::min())) return Limits::min();
        return static_cast<T>(rounded);
    }
}

template <class T>
void encodeAll(std::span<const double> values, char* bytes, [[maybe_unused]] Negative negative) {
    if constexpr (std::is_same_v<T, double>) {
        if (!values.empty()) std::memcpy(bytes, values.data(), values.size_bytes());
        return;
    }
    for (const double value : values) {
        const T stored = toStored<T>(value, negative);
        std::memcpy(bytes, &stored, sizeof(T));
        bytes += sizeof(T);
    }
}

/// Calls `action` with a value of the stored type.
template <class Action>
void withStoredType(ValueType type, Action action) {
    switch (type) {
        case ValueType::Double:
        case ValueType::MinDouble:
        case ValueType::MaxDouble:
            return action(double{});
        case ValueType::Int8:
            return action(std::int8_t{});
        case ValueType::UInt8:
            return action(std::uint8_t{});
        case ValueType::Int16:
            return action(std::int16_t{});
        case ValueType::UInt16:
            return action(std::uint16_t{});
        case ValueType::Int32:
            return action(std::int32_t{});
        case ValueType::UInt32:
            return action(std::uint32_t{});
        case ValueType::Int64:
            return action(std::int64_t{});
        case ValueType::UInt64:
            return action(std::uint64_t{});
        case ValueType::Compound:
            return;
    }
}

}  // namespace

ValueType valueTypeOf(std::string_view name) {
    const auto base = name.substr(0, name.find('('));  // HISTOGRAM(12)
    const auto found = std::ranges::find(kNames, base, &Name::name);
    return found == kNames.end() ? ValueType::Double : found->type;
}

std::string typeNameOf(const Metric& metric) {
    if (!metric.typeName.empty() && valueTypeOf(metric.typeName) == metric.valueType) return metric.typeName;
    const auto usual = std::ranges::find(kNames, metric.valueType, &Name::type);
    return std::string(usual->name);
}

std::size_t sizeOf(ValueType type) {
    std::size_t size = 0;
    withStoredType(type, [&](auto stored) { size = sizeof(stored); });
    return size;
}

void decode(ValueType type, const char* bytes, bool swapBytes, std::span<double> values) {
    withStoredType(type, [&](auto stored) { decodeAll<decltype(stored)>(bytes, swapBytes, values); });
}

void decodeIntegers(ValueType type, const char* bytes, bool swapBytes, std::span<std::int64_t> values) {
    withStoredType(type, [&](auto stored) {
        using Stored = decltype(stored);
        if constexpr (std::is_integral_v<Stored>)
            for (std::int64_t& value : values) {
                // NOLINTNEXTLINE(bugprone-signed-char-misuse): a number of 8 bits is no character
                value = static_cast<std::int64_t>(loadNumber<Stored>(bytes, swapBytes));
                bytes += sizeof(Stored);
            }
    });
}

void encode(ValueType type, std::span<const double> values, char* bytes, Negative negative) {
    withStoredType(type, [&](auto stored) { encodeAll<decltype(stored)>(values, bytes, negative); });
}

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

namespace {

std::vector<std::uint32_t> rowNumbers(const std::vector<CallPathId>& rows) {
    std::vector<std::uint32_t> numbers(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        numbers[rows[row].index()] = static_cast<std::uint32_t>(row);
    return numbers;
}

}  // namespace

std::vector<CallPathId> depthFirstRows(const CallTree& tree) {
    std::vector<CallPathId> rows;
    rows.reserve(tree.size());
    for (const CallPathId root : tree.roots()) {
        const auto below = tree.subtree(root);
        rows.insert(rows.end(), below.begin(), below.end());
    }
    return rows;
}

std::vector<CallPathId> wideRows(const CallTree& tree) {
    std::vector<CallPathId> rows;
    rows.reserve(tree.size());
    for (const CallPathId root : tree.roots()) {
        rows.push_back(root);
        // Going depth first, each node emits its children.
        for (const CallPathId node : tree.subtree(root)) {
            const auto& children = tree.children(node);
            rows.insert(rows.end(), children.begin(), children.end());
        }
    }
    return rows;
}

std::vector<std::size_t> callPathNumbers(const CallTree& tree) {
    std::vector<std::size_t> numbers;
    std::vector<bool> taken(tree.size(), false);
    for (const CallPathId id : tree.ids()) {
        const auto number = tree[id].fileNumber.value_or(tree.size());
        if (number >= tree.size() || taken[number]) {
            numbers.resize(tree.size());
            std::iota(numbers.begin(), numbers.end(), std::size_t{0});
            return numbers;
        }
        taken[number] = true;
        numbers.push_back(number);
    }
    return numbers;
}

RowLayout::RowLayout(const CallTree& tree, std::vector<std::uint64_t> columnNumbers)
    : depthFirst(rowNumbers(depthFirstRows(tree))),
      wide(rowNumbers(wideRows(tree))),
      columns(std::move(columnNumbers)) {
    parents_.reserve(tree.size());
    children_.reserve(tree.size());
    childBegin_.reserve(tree.size() + 1);
    for (const CallPathId path : tree.ids()) {
        parents_.push_back(tree.parent(path));
        childBegin_.push_back(static_cast<std::uint32_t>(children_.size()));
        children_.insert(children_.end(), tree.children(path).begin(), tree.children(path).end());
    }
    childBegin_.push_back(static_cast<std::uint32_t>(children_.size()));
}

}  // namespace holos::algebra
