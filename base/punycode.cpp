// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <vector>

#include "base/rust_v0.h"
#include "base/utf8.h"

namespace holos {
namespace {

// The names and values of RFC 3492, section 5.
constexpr std::uint64_t kBase = 36;
constexpr std::uint64_t kTMin = 1;
constexpr std::uint64_t kTMax = 26;
constexpr std::uint64_t kSkew = 38;
constexpr std::uint64_t kDamp = 700;
constexpr std::uint64_t kInitialBias = 72;
constexpr std::uint64_t kInitialN = 0x80;
constexpr std::uint64_t kLastCharacter = 0x10FFFF;
constexpr std::size_t kLongestLabel = 4096;

std::uint64_t adapted(std::uint64_t delta, std::uint64_t points, bool isFirst) {
    delta /= isFirst ? kDamp : 2;
    delta += delta / points;
    std::uint64_t k = 0;
    for (; delta > (kBase - kTMin) * kTMax / 2; k += kBase) delta /= kBase - kTMin;
    return k + (kBase - kTMin + 1) * delta / (delta + kSkew);
}

std::optional<std::uint64_t> digitOf(char c) {
    if (c >= 'a' && c <= 'z') return c - 'a';
    if (c >= '0' && c <= '9') return c - '0' + 26;
    return {};
}

/// How far the next character is from the last one; takes it from `rest`.
std::optional<std::uint64_t> takeDelta(std::string_view& rest, std::uint64_t bias) {
    std::uint64_t delta = 0;
    std::uint64_t weight = 1;
    for (std::uint64_t k = kBase;; k += kBase) {
        const auto digit = rest.empty() ? std::nullopt : digitOf(rest.front());
        if (!digit || weight > kLastCharacter * kLongestLabel) return {};
        rest.remove_prefix(1);
        delta += *digit * weight;
        const std::uint64_t threshold = k <= bias + kTMin ? kTMin : k >= bias + kTMax ? kTMax : k - bias;
        if (*digit < threshold) return delta;
        weight *= kBase - threshold;
    }
}

}  // namespace

std::optional<std::string> fromPunycode(std::string_view encoded) {
    if (encoded.size() > kLongestLabel) return {};
    const std::size_t last = encoded.rfind('_');
    std::vector<std::uint32_t> characters;
    if (last != std::string_view::npos) {
        characters.assign(encoded.begin(), encoded.begin() + static_cast<std::ptrdiff_t>(last));
        encoded.remove_prefix(last + 1);
    }
    std::uint64_t n = kInitialN;
    std::uint64_t bias = kInitialBias;
    for (std::uint64_t i = 0; !encoded.empty(); ++i) {
        const auto delta = takeDelta(encoded, bias);
        if (!delta) return {};
        const std::uint64_t points = characters.size() + 1;
        bias = adapted(*delta, points, n == kInitialN && i == 0);
        i += *delta;
        n += i / points;
        i %= points;
        if (n > kLastCharacter || (n >= 0xD800 && n < 0xE000)) return {};
        characters.insert(characters.begin() + static_cast<std::ptrdiff_t>(i), static_cast<std::uint32_t>(n));
    }
    std::string text;
    for (const std::uint32_t character : characters) {
        char bytes[4];
        text.append(bytes, utf8::put(bytes, character));
    }
    return text;
}

}  // namespace holos
