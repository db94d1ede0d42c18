// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/layout.h"

#include <cstring>

namespace holos::tracing::stacks::python {
namespace {

using Words = std::span<const std::uint64_t, kLookedAtWords>;

constexpr Layout k311{
    .runtime = {.finalizing = 24, .interpreters = 40},
    .interpreter = {.next = 0, .threads = 16},
    .thread = {.frames = 56, .threadId = 152, .next = 8},
    .control = {.exists = true, .frame = 8, .previous = 16},
    .frame = {.hasEntryFlag = true, .entryFlag = 68, .code = 32, .instruction = 56, .previous = 48},
    .code = {.file = 112, .name = 128, .lineTable = 136, .firstLine = 72, .instructions = 184},
    .object = {.type = 8},
    .bytes = {.size = 16, .data = 32},
    .text = {.length = 16, .state = 32, .shortHeader = 48, .longHeader = 72}};

constexpr Layout k312{
    .runtime = {.finalizing = 24, .interpreters = 40},
    .interpreter = {.next = 0, .threads = 72},
    .thread = {.frames = 56, .threadId = 136, .next = 8},
    .control = {.exists = true, .frame = 0, .previous = 8},
    .frame = {.hasEntryFlag = false, .entryFlag = 0, .code = 0, .instruction = 56, .previous = 8},
    .code = {.file = 112, .name = 128, .lineTable = 136, .firstLine = 68, .instructions = 192},
    .object = {.type = 8},
    .bytes = {.size = 16, .data = 32},
    .text = {.length = 16, .state = 32, .shortHeader = 40, .longHeader = 56}};

/// Where the parts of the table begin, in words. Each begins with the size of what it describes.
struct Table {
    std::size_t runtime;
    std::size_t interpreter;
    std::size_t thread;
    std::size_t frame;
    std::size_t code;
    std::size_t object;
    std::size_t bytes;
    std::size_t text;
};
constexpr Table k313{3, 6, 19, 28, 34, 44, 64, 67};
constexpr Table k314{3, 6, 22, 31, 39, 50, 74, 77};

constexpr std::size_t kVersion = 1;

/// Takes offsets out of the table; each must lie in what it is an offset of.
class Reader {
  public:
    explicit Reader(Words words) : words_(words) {}

    std::uint32_t get(std::size_t part, std::size_t field) {
        constexpr std::uint64_t kMost = 1U << 24U;
        const std::uint64_t size = words_[part];
        const std::uint64_t offset = words_[part + field];
        isGood_ = isGood_ && size < kMost && offset < size && offset % sizeof(std::uint32_t) == 0;
        return static_cast<std::uint32_t>(offset);
    }
    std::uint64_t sizeOf(std::size_t part) const { return words_[part]; }
    bool isGood() const { return isGood_; }

  private:
    Words words_;
    bool isGood_ = true;
};

std::optional<Layout> published(const Table& table, Words words) noexcept {
    Reader reader(words);
    Layout layout{};
    layout.runtime.finalizing = reader.get(table.runtime, 1);
    layout.runtime.interpreters = reader.get(table.runtime, 2);
    layout.interpreter.next = reader.get(table.interpreter, 2);
    layout.interpreter.threads = reader.get(table.interpreter, 3);
    layout.thread.next = reader.get(table.thread, 2);
    layout.thread.frames = reader.get(table.thread, 4);
    layout.thread.threadId = reader.get(table.thread, 5);
    layout.frame.previous = reader.get(table.frame, 1);
    layout.frame.code = reader.get(table.frame, 2);
    layout.frame.instruction = reader.get(table.frame, 3);
    layout.code.file = reader.get(table.code, 1);
    layout.code.name = reader.get(table.code, 3);
    layout.code.lineTable = reader.get(table.code, 4);
    layout.code.firstLine = reader.get(table.code, 5);
    layout.code.instructions = reader.get(table.code, 9);
    layout.object.type = reader.get(table.object, 1);
    layout.bytes.size = reader.get(table.bytes, 1);
    layout.bytes.data = reader.get(table.bytes, 2);
    layout.text.state = reader.get(table.text, 1);
    layout.text.length = reader.get(table.text, 2);
    layout.text.shortHeader = reader.get(table.text, 3);
    // Length and place of the text in UTF-8 come in between.
    layout.text.longHeader = layout.text.shortHeader + 2 * sizeof(std::uint64_t);
    const bool isPossible =
        layout.text.longHeader <= reader.sizeOf(table.text) &&
        layout.object.type + sizeof(void*) <= layout.text.length && layout.text.length < layout.text.state &&
        layout.text.state < layout.text.shortHeader && layout.bytes.size < layout.bytes.data;
    if (!reader.isGood() || !isPossible) return std::nullopt;
    return layout;
}

}  // namespace

std::optional<Layout> layoutOf(std::uint64_t version, Words runtime) noexcept {
    constexpr unsigned kMinorVersion = 16;
    constexpr std::uint64_t kThree = 0x300;
    const std::uint64_t minor = (version >> kMinorVersion) - kThree;
    if (minor == 11) return k311;
    if (minor == 12) return k312;
    const bool hasTable = std::memcmp(runtime.data(), "xdebugpy", sizeof runtime[0]) == 0;
    if (minor < 13 || minor > 0xFF || !hasTable || runtime[kVersion] != version) return std::nullopt;
    return published(minor == 13 ? k313 : k314, runtime);
}

}  // namespace holos::tracing::stacks::python
