// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/recorder/stacks/python/interpreter.h"
#include "tracing/recorder/stacks/python/memory.h"

namespace holos::tracing::stacks::python {

/// The characters of a text object, where they lie.
struct Text {
    const unsigned char* begin = nullptr;
    std::size_t bytes = 0;
    std::uint64_t length =
        0;  ///< in the object's words: longer than what there is of it here where that was cut
    std::uint8_t width = 1;    ///< bytes of a character
    std::uint8_t behind = 0;   ///< bits of the object's state in front of its form
    std::uint32_t form = 0;    ///< the state without these
    std::uint32_t header = 0;  ///< bytes in front of the characters
};

/// Of longer texts the start.
inline constexpr std::size_t kMostTextBytes = 4096;

/// False where there is no text object that can be read.
bool readText(const Interpreter& interpreter, std::uint64_t object, Memory& memory, Text& text) noexcept;

/// Whether an object is a text of that form and with those characters; quicker than `readText`.
inline bool isText(const Text& text, std::uint64_t object, const Layout& layout, Memory& memory) noexcept {
    std::uint64_t length = 0;
    std::uint32_t state = 0;
    return memory.read(object + layout.text.length, length) && length == text.length &&
           memory.read(object + layout.text.state, state) && state >> text.behind == text.form &&
           memory.isReadable(object + text.header, text.bytes) &&
           std::memcmp(code::bytesAt(object + text.header), text.begin, text.bytes) == 0;
}

/// In UTF-8, with a zero behind; how many bytes without it. `room` has place for `utf8Room(text)`.
std::size_t toUtf8(const Text& text, char* room) noexcept;
constexpr std::size_t utf8Room(const Text& text) {
    constexpr std::size_t kMostOfOne = 4;
    return text.bytes / text.width * kMostOfOne + 1;
}

}  // namespace holos::tracing::stacks::python
