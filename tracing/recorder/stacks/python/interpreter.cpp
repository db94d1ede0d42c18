// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/interpreter.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstdint>
#include <cstring>
#include <span>

#include "tracing/code/loaded/exported_symbols.h"
#include "tracing/code/loaded/frame_rules.h"
#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recorder/stacks/walk/unloadings.h"

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

namespace {

/// Interpreters that were found are never freed or changed: a handler may be using one.
std::atomic<const Interpreter*> found{nullptr};
/// How often files had been unloaded when it was last seen to be there.
std::atomic<std::uint32_t> seenAt{0};
/// Where the file begins that was found to be an interpreter that is not known.
std::atomic<std::uint64_t> unknownFile{0};

/// Files that are no interpreter, by where they begin and how often files had been unloaded then.
constexpr unsigned kOtherBits = 8;
constexpr std::uint64_t keyOfOther(std::uint64_t begin, std::uint32_t unloadings) {
    constexpr unsigned kPageBits = 12;
    constexpr unsigned kAddressBits = 48;
    return begin >> kPageBits | std::uint64_t{unloadings} << (kAddressBits - kPageBits);
}
static_assert(keyOfOther(0x7F0000001000, 1) != keyOfOther(0x7F0000001000, 1 + (1U << 27U)));
std::array<std::atomic<std::uint64_t>, std::size_t{1} << kOtherBits> otherFiles;

const char* nameOf(const char* path) noexcept {
    const char* const slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

bool beginsWith(const char* name, const char* beginning) noexcept {
    return std::strncmp(name, beginning, std::strlen(beginning)) == 0;
}

/// The program itself has no path among the loaded files.
bool isInterpreterAlone(const code::LoadedFile& file) noexcept {
    if (file.path != nullptr && *file.path != '\0') return beginsWith(nameOf(file.path), "libpython");
    // Too large for the stack of a thread.
    auto* const path = static_cast<char*>(heap::allocate(PATH_MAX));
    if (path == nullptr) return false;
    const ssize_t length = ::readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[std::max<ssize_t>(length, 0)] = '\0';
    const bool isPython = beginsWith(nameOf(path), "python");
    heap::release(path);
    return isPython;
}

template <class T>
T valueAt(std::uint64_t address) noexcept {
    T value{};
    std::memcpy(&value, code::bytesAt(address), sizeof value);
    return value;
}

void keep(const Interpreter& one) noexcept {
    const std::uint32_t now = unloadings.now().unloadings();
    const Interpreter* const before = found.load(std::memory_order_acquire);
    const bool isSame = before != nullptr && before->runtime == one.runtime &&
                        before->codeType == one.codeType && before->loopBegin == one.loopBegin &&
                        before->loopEnd == one.loopEnd;
    if (!isSame) {
        void* const memory = heap::allocate(sizeof one);
        if (memory == nullptr) return;
        found.store(new (memory) Interpreter(one), std::memory_order_release);
    }
    seenAt.store(now, std::memory_order_release);
}

void takeUnknown(const code::LoadedFile& file, std::uint64_t version) noexcept {
    if (unknownFile.exchange(file.begin) == 0) reportUnknownInterpreter(version);
}

void take(const code::LoadedFile& file, const code::ExportedSymbols& symbols) noexcept {
    const std::uint64_t versionAt = symbols.find("Py_Version").address;
    const auto version = versionAt != 0 ? valueAt<unsigned long>(versionAt) : 0;
    const auto loop = symbols.find("_PyEval_EvalFrameDefault");
    Interpreter one;
    one.runtime = symbols.find("_PyRuntime").address;
    const auto* const words = reinterpret_cast<const std::uint64_t*>(code::bytesAt(one.runtime));
    const auto layout =
        layoutOf(version, std::span<const std::uint64_t, kLookedAtWords>(words, kLookedAtWords));
    one.codeType = symbols.find("PyCode_Type").address;
    one.textType = symbols.find("PyUnicode_Type").address;
    const std::uint64_t ownThread = symbols.find("PyGILState_GetThisThreadState").address;
    if (!layout || one.codeType == 0 || one.textType == 0 || ownThread == 0 || loop.bytes == 0)
        return takeUnknown(file, version);
    one.layout = *layout;
    one.ownThread = reinterpret_cast<void* (*)()>(ownThread);  // NOLINT(performance-no-int-to-ptr)
    one.loopBegin = loop.address;
    one.loopEnd = loop.address + loop.bytes;
    one.fileBegin = file.begin;
    one.isWholeFile = isInterpreterAlone(file);
    keep(one);
}

/// Code that hands calls on from Python to MPI and other libraries, or to itself. It is to its user a part of
/// those, or of the interpreter.
bool handsCallsOn(const code::LoadedFile& file) noexcept {
    if (file.path == nullptr) return false;
    const char* const name = nameOf(file.path);
    return beginsWith(name, "_ctypes.") || beginsWith(name, "_cffi_backend.") ||
           beginsWith(name, "libffi.") || code::swapsStacks(file.path) ||
           (beginsWith(name, "MPI.") && std::strstr(file.path, "/mpi4py/") != nullptr);
}

/// Whether the file exports an interpreter's state. Quick where it was asked for before.
bool mayBeInterpreter(const code::LoadedFile& file) noexcept {
    const std::uint64_t key = keyOfOther(file.begin, unloadings.now().unloadings());
    auto& other = otherFiles[(key * 0x9E3779B97F4A7C15U) >> (64 - kOtherBits)];
    if (other.load(std::memory_order_relaxed) == key) return false;
    if (code::ExportedSymbols(file).find("_PyRuntime").address != 0) return true;
    other.store(key, std::memory_order_relaxed);
    return false;
}

}  // namespace

const Interpreter* interpreter() noexcept {
    const Interpreter* const one = found.load(std::memory_order_acquire);
    const bool isThere = seenAt.load(std::memory_order_relaxed) == unloadings.now().unloadings();
    return isThere ? one : nullptr;
}

CodeOwner ownerIn(const code::LoadedFile& file, std::uint64_t address) noexcept {
    if (handsCallsOn(file)) return CodeOwner::Interpreter;
    const Interpreter* one = interpreter();
    if (one == nullptr && unknownFile.load(std::memory_order_relaxed) != file.begin) {
        if (!mayBeInterpreter(file)) return CodeOwner::Program;
        take(file, code::ExportedSymbols(file));
        one = interpreter();
    }
    if (one == nullptr || one->fileBegin != file.begin) return CodeOwner::Program;
    if (address >= one->loopBegin && address < one->loopEnd) return CodeOwner::InterpreterLoop;
    return one->isWholeFile ? CodeOwner::Interpreter : CodeOwner::Program;
}

}  // namespace holos::tracing::stacks::python
