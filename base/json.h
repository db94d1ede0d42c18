// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/input_file.h"

namespace holos {

/// What a JSON text may have at most, so that reading it ends and what walks through it may do so by
/// recursion.
struct JsonLimits {
    std::uint64_t bytes = 256U << 20;
    std::size_t depth = 100;
    std::size_t values = 10'000'000;
};

/// Throws `Error` for a text that is no JSON or exceeds the limits. `file` is where it comes from, if any.
void requireBoundedJson(std::string_view text, const JsonLimits& limits, const std::string& file);

/// `Json` is `nlohmann::json` or its sister that keeps the order of members. Throws `Error` as
/// `requireBoundedJson` does.
template <class Json = nlohmann::json>
Json parseJson(std::string_view text, const std::string& file = {}, const JsonLimits& limits = {}) {
    requireBoundedJson(text, limits, file);
    return Json::parse(text);
}

/// What a regular file holds. Throws `Error` as `parseJson` does, and for a file that cannot be read.
template <class Json = nlohmann::json>
Json readJson(const std::filesystem::path& file, const JsonLimits& limits = {}) {
    return parseJson<Json>(readText(file, limits.bytes, "a JSON file"), file.string(), limits);
}

/// The object that a file holds; an empty one where there is none that can be read.
nlohmann::json readObject(const std::filesystem::path& file);

/// A member that is text; empty where the object has none.
template <class Json>
std::string textIn(const Json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_string() ? value->template get<std::string>() : std::string();
}

/// The value, or null where there is none.
template <class Json = nlohmann::ordered_json, class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

/// The value as text, with so many blanks for each level; -1: on one line. Names may hold any bytes: what is
/// not UTF-8 is replaced. Numbers that are not finite are null.
template <class Json>
std::string jsonText(const Json& value, int indent = -1) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace holos
