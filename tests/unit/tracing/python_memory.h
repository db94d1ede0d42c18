// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tracing/recorder/stacks/python/interpreter.h"

namespace holos::tracing::stacks::python {

constexpr std::uint64_t versionOf(unsigned minor) {
    return 0x03000000U | minor << 16U | 0x00F0U;
}

/// As an interpreter publishes it: the parts' sizes and the offsets in them.
inline std::array<std::uint64_t, kLookedAtWords> table(unsigned minor) {
    std::array<std::uint64_t, kLookedAtWords> words{};
    std::memcpy(words.data(), "xdebugpy", 8);
    words[1] = versionOf(minor);
    auto put = [&, at = std::size_t{3}](const std::vector<std::uint64_t>& part) mutable {
        std::copy(part.begin(), part.end(), words.begin() + static_cast<std::ptrdiff_t>(at));
        at += part.size();
    };
    const bool isLater = minor > 13;
    put({4000, 608, 632});   // the interpreter's own state
    put({4000, 8, 16, 24});  // of one of several
    put(std::vector<std::uint64_t>(isLater ? 12 : 9, 8));
    put({400, 0, 8, 16, 72, 152, 160, 280, 32});  // of a thread
    put({88, 8, 0, 56, 80, 70});                  // a frame
    if (isLater) put({64, 0});
    put({216, 112, 120, 128, 136, 68, 52, 96, 104, 200});  // a code object
    if (isLater) put({0});
    put({16, 8});             // any object
    put({416, 24, 88, 168});  // a type
    put({32, 24, 16});        // tuples and lists
    put({40, 24, 16});
    if (isLater) put({200, 24, 40, 32});  // a set
    put({48, 32, 40});                    // a dictionary
    put({24, 16});                        // numbers
    put({32, 16, 24});
    put({40, 16, 32});      // bytes
    put({64, 32, 16, 40});  // a text
    return words;
}

inline Layout layoutOf(unsigned minor) {
    return *python::layoutOf(versionOf(minor), table(minor));
}

/// What an interpreter has in its memory, made up by a layout.
class PythonMemory {
  public:
    explicit PythonMemory(const Layout& layout) : words_(kWords) {
        interpreter.layout = layout;
        interpreter.runtime = allocate(4096);
        interpreter.codeType = allocate(64);
        interpreter.textType = allocate(64);
        thread = allocate(512);
    }

    std::uint64_t allocate(std::size_t bytes) {
        const std::size_t at = next_;
        next_ += (bytes + 15) / 8;
        return reinterpret_cast<std::uint64_t>(words_.data() + at);
    }
    template <class T>
    static void set(std::uint64_t address, T value) {
        std::memcpy(reinterpret_cast<void*>(address), &value, sizeof value);
    }

    std::uint64_t text(const std::string& ascii) {
        constexpr std::uint32_t kOneByteCompactAscii = 1U << 2U | 1U << 5U | 1U << 6U;
        const auto object = characters(kOneByteCompactAscii, ascii.size(),
                                       interpreter.layout.text.shortHeader, ascii.data(), ascii.size());
        return object;
    }
    std::uint64_t characters(std::uint32_t state, std::uint64_t length, std::uint32_t header,
                             const void* data, std::size_t bytes) {
        const Layout& layout = interpreter.layout;
        const auto object = allocate(header + bytes);
        set(object + layout.object.type, interpreter.textType);
        set(object + layout.text.length, length);
        set(object + layout.text.state, state);
        std::memcpy(reinterpret_cast<void*>(object + header), data, bytes);
        return object;
    }
    std::uint64_t bytes(const std::vector<std::uint8_t>& data) {
        const Layout& layout = interpreter.layout;
        const auto object = allocate(layout.bytes.data + data.size());
        set(object + layout.bytes.size, std::uint64_t{data.size()});
        std::memcpy(reinterpret_cast<void*>(object + layout.bytes.data), data.data(), data.size());
        return object;
    }
    /// A function whose first three instructions are in its first, second and third line.
    std::uint64_t code(const std::string& file, const std::string& name, std::uint32_t firstLine) {
        const auto object = allocate(512);
        define(object, file, name, firstLine);
        return object;
    }
    void define(std::uint64_t object, const std::string& file, const std::string& name,
                std::uint32_t firstLine) {
        const Layout& layout = interpreter.layout;
        set(object + layout.object.type, interpreter.codeType);
        set(object + layout.code.file, text(file));
        set(object + layout.code.name, text(name));
        set(object + layout.code.lineTable, bytes({0x80 | 13 << 3, 0, 0x80 | 13 << 3, 2, 0x80 | 13 << 3, 2}));
        set(object + layout.code.firstLine, firstLine);
    }
    std::uint64_t instruction(std::uint64_t code, unsigned number) const {
        return code + interpreter.layout.code.instructions + 2 * number;
    }
    std::uint64_t frame(std::uint64_t code, unsigned number, std::uint64_t previous, bool isEntry = false) {
        const auto object = allocate(128);
        setFrame(object, code, number, previous, isEntry);
        return object;
    }
    void setFrame(std::uint64_t object, std::uint64_t code, unsigned number, std::uint64_t previous,
                  bool isEntry = false) {
        const auto& layout = interpreter.layout.frame;
        set(object + layout.code, code);
        set(object + layout.instruction, instruction(code, number));
        set(object + layout.previous, previous);
        if (layout.hasEntryFlag) set(object + layout.entryFlag, static_cast<std::uint8_t>(isEntry));
    }

    Interpreter interpreter;
    std::uint64_t thread = 0;

  private:
    static constexpr std::size_t kWords = 1U << 16U;

    std::vector<std::uint64_t> words_;
    std::size_t next_ = 0;
};

}  // namespace holos::tracing::stacks::python
