// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/addresses.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace holos::serve {

namespace {

int digitOf(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

bool isNumber(std::string_view text) {
    return !text.empty() &&
           std::ranges::all_of(text, [](unsigned char each) { return std::isdigit(each) != 0; });
}

}  // namespace

std::string linkEscaped(std::string_view name) {
    constexpr std::string_view kPlain = "-._~:@() ";
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string text;
    for (const char each : name) {
        const auto byte = static_cast<unsigned char>(each);
        const bool isPlain = (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') ||
                             (each >= 'A' && each <= 'Z') || kPlain.find(each) != std::string_view::npos;
        if (isPlain)
            text += each;
        else
            (text += '%').append({kDigits[byte >> 4U], kDigits[byte & 0xFU]});
    }
    return text;
}

std::optional<std::string> linkUnescaped(std::string_view text, bool plusIsBlank) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        char next = text[at] == '+' && plusIsBlank ? ' ' : text[at];
        if (next == '%') {
            if (at + 2 >= text.size()) return std::nullopt;
            const int high = digitOf(text[at + 1]), low = digitOf(text[at + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            next = static_cast<char>(high * 16 + low);
            at += 2;
        }
        if (next == '\0') return std::nullopt;
        plain += next;
    }
    return plain;
}

std::optional<Query> queryOf(std::string_view target) {
    if (!target.starts_with('/')) return std::nullopt;
    const std::size_t mark = std::min(target.find('?'), target.size());
    auto path = linkUnescaped(target.substr(0, mark));
    if (!path) return std::nullopt;
    Query query{.path = std::move(*path), .parameters = {}};
    for (std::string_view rest = target.substr(std::min(mark + 1, target.size())); !rest.empty();) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        const std::string_view one = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (one.empty()) continue;
        const std::size_t sign = std::min(one.find('='), one.size());
        auto name = linkUnescaped(one.substr(0, sign), true);
        auto value = linkUnescaped(one.substr(std::min(sign + 1, one.size())), true);
        if (!name || !value || !query.parameters.emplace(std::move(*name), std::move(*value)).second)
            return std::nullopt;
    }
    return query;
}

bool isThisMachine(std::string_view host) {
    for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
        if (!host.starts_with(name)) continue;
        const std::string_view rest = host.substr(name.size());
        if (rest.empty() || (rest.front() == ':' && isNumber(rest.substr(1)))) return true;
    }
    return false;
}

}  // namespace holos::serve
