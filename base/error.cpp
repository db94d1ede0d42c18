// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.h"

#include <utility>

namespace holos {
namespace {

void append(std::string& text, const char* label, const std::optional<std::uint64_t>& number) {
    if (number) text += " (" + std::string(label) + ' ' + std::to_string(*number) + ')';
}

std::string withPlace(const std::string& message, const Place& place) {
    std::string text = place.file;
    if (place.line) text += ':' + std::to_string(*place.line);
    if (place.column) text += ':' + std::to_string(*place.column);
    if (!text.empty()) text += ": ";
    text += message;
    append(text, "byte", place.byte);
    append(text, "location", place.location);
    append(text, "event", place.event);
    return text;
}

}  // namespace

Error::Error(const std::string& message, Place place)
    : std::runtime_error(withPlace(message, place)), place_(std::move(place)), message_(message) {}

}  // namespace holos
