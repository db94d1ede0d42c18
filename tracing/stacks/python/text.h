// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/stacks/python/interpreter.h"
#include "tracing/stacks/python/memory.h"

namespace holos::tracing::stacks::python {

/// The characters of a text object, where they lie.
struct Text {
    const unsigned char* begin = nullptr;
    std::size_t bytes = 0;
    unsigned width = 1;  ///< bytes of a character
};

/// Of longer texts the begin.
inline constexpr std::size_t kMostTextBytes = 4096;

/// False where there is no text object that can be read.
bool readText(const Interpreter& interpreter, std::uint64_t object, Memory& memory, Text& text) noexcept;

/// In UTF-8, with a zero behind; how many bytes without it. `room` has place for `utf8Room(text)`.
std::size_t toUtf8(const Text& text, char* room) noexcept;
constexpr std::size_t utf8Room(const Text& text) {
    constexpr std::size_t kMostOfOne = 4;
    return text.bytes / text.width * kMostOfOne + 1;
}

}  // namespace holos::tracing::stacks::python
