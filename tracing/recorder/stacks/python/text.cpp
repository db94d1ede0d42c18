// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/text.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

namespace holos::tracing::stacks::python {
namespace {

struct Form {
    unsigned width = 0;  ///< 0: not known
    bool isAscii = false;
    unsigned behind = 0;
};

/// Three bits of width, one for texts in one piece and one for ASCII stand behind whether the text is
/// interned, which takes more or fewer bits: the others of those are 0.
Form formOf(std::uint32_t state) noexcept {
    constexpr unsigned kBehind[] = {2, 8, 16};
    for (const unsigned shift : kBehind) {
        const unsigned width = (state >> shift) & 7U;
        const bool isOnePiece = ((state >> (shift + 3)) & 1U) != 0;
        const bool isAscii = ((state >> (shift + 4)) & 1U) != 0;
        const bool isPossible = width == 1 || (!isAscii && (width == 2 || width == 4));
        if (isOnePiece && isPossible) return {width, isAscii, shift};
    }
    return {};
}

char32_t characterAt(const unsigned char* at, unsigned width) noexcept {
    std::uint32_t value = 0;
    std::memcpy(&value, at, width);  // little-endian, as the processors that stacks are walked on
    return value;
}

/// What no file of definitions should have: halves of characters, as of file names that are no text, and
/// zeros.
char32_t presentable(char32_t character) noexcept {
    constexpr char32_t kReplacement = 0xFFFD;
    const bool isHalf = character >= 0xD800 && character < 0xE000;
    return isHalf || character == 0 || character > 0x10FFFF ? kReplacement : character;
}

}  // namespace

bool readText(const Interpreter& interpreter, std::uint64_t object, Memory& memory, Text& text) noexcept {
    const Layout& layout = interpreter.layout;
    std::uint64_t type = 0;
    std::uint64_t length = 0;
    std::uint32_t state = 0;
    if (object % sizeof(std::uint64_t) != 0 || !memory.read(object + layout.object.type, type) ||
        type != interpreter.textType || !memory.read(object + layout.text.length, length) ||
        !memory.read(object + layout.text.state, state))
        return false;
    const Form form = formOf(state);
    if (form.width == 0) return false;
    text.width = static_cast<std::uint8_t>(form.width);
    text.behind = static_cast<std::uint8_t>(form.behind);
    text.form = state >> form.behind;
    text.header = form.isAscii ? layout.text.shortHeader : layout.text.longHeader;
    text.length = length;
    text.bytes = std::min<std::uint64_t>(length, kMostTextBytes / form.width) * form.width;
    text.begin = code::bytesAt(object + text.header);
    return memory.isReadable(object + text.header, text.bytes);
}

std::size_t toUtf8(const Text& text, char* room) noexcept {
    char* out = room;
    for (std::size_t i = 0; i + text.width <= text.bytes; i += text.width)
        out = utf8::put(out, presentable(characterAt(text.begin + i, text.width)));
    *out = '\0';
    return static_cast<std::size_t>(out - room);
}

}  // namespace holos::tracing::stacks::python
