// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/value_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

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

}  // namespace holos::algebra
