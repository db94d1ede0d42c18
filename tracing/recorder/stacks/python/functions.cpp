// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/functions.h"

#include <atomic>
#include <cstring>

#include "base/fnv1a.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recorder/stacks/python/line_table.h"
#include "tracing/recordings/format/python_call.h"

namespace holos::tracing::stacks::python {
namespace {

constexpr unsigned kListBits = 12;
template <class One>
using Lists = std::array<std::atomic<const One*>, std::size_t{1} << kListBits>;
Lists<StoredText> texts;
Lists<Function> functions;
std::atomic<std::uint32_t> nextNumber{1};

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;

template <class One>
std::atomic<const One*>& listOf(Lists<One>& lists, std::uint64_t hash) noexcept {
    return lists[(hash * kMix) >> (64 - kListBits)];
}

std::uint64_t hashOf(const Text& text) noexcept {
    return Fnv1a().add(text.begin, text.bytes).value();
}

bool areEqual(const Text& a, const Text& b) noexcept {
    return a.length == b.length && a.form == b.form && a.bytes == b.bytes &&
           std::memcmp(a.begin, b.begin, a.bytes) == 0;
}

bool beginsWith(const Text& text, const char* beginning) noexcept {
    const std::size_t length = std::strlen(beginning);
    return text.width == 1 && text.bytes >= length && std::memcmp(text.begin, beginning, length) == 0;
}

/// Null when there is no room. Where another thread is as fast, there are two of the same.
const StoredText* storedText(const Text& text) noexcept {
    auto& list = listOf(texts, hashOf(text));
    const StoredText* first = list.load(std::memory_order_acquire);
    for (const StoredText* one = first; one != nullptr; one = one->next)
        if (areEqual(one->text, text)) return one;
    void* const memory = heap::allocate(sizeof(StoredText) + text.bytes);
    if (memory == nullptr) return nullptr;
    auto* const characters = static_cast<unsigned char*>(memory) + sizeof(StoredText);
    std::memcpy(characters, text.begin, text.bytes);
    auto* const made = new (memory) StoredText{first, text};
    made->text.begin = characters;
    list.compare_exchange_strong(first, made, std::memory_order_acq_rel);
    return made;
}

void define(const Function& function) noexcept {
    const std::size_t fileRoom = utf8Room(function.file->text);
    auto* const memory = static_cast<char*>(heap::allocate(fileRoom + utf8Room(function.name->text)));
    if (memory == nullptr) return;
    toUtf8(function.file->text, memory);
    toUtf8(function.name->text, memory + fileRoom);
    writePythonFunction(function.number, function.firstLine, memory, memory + fileRoom);
    heap::release(memory);
}

/// As above.
const Function* functionOf(const StoredText* file, const StoredText* name, std::uint32_t firstLine) noexcept {
    const auto hash =
        reinterpret_cast<std::uint64_t>(file) * kMix ^ reinterpret_cast<std::uint64_t>(name) ^ firstLine;
    auto& list = listOf(functions, hash);
    const Function* first = list.load(std::memory_order_acquire);
    for (const Function* one = first; one != nullptr; one = one->next)
        if (one->name == name && one->file == file && one->firstLine == firstLine) return one;
    if (nextNumber.load(std::memory_order_relaxed) >= kMostFunctions) return nullptr;
    void* const memory = heap::allocate(sizeof(Function));
    if (memory == nullptr) return nullptr;
    const std::uint32_t number = nextNumber.fetch_add(1, std::memory_order_relaxed);
    const bool isOfInterpreter = beginsWith(file->text, "<frozen ");
    const auto* const made = new (memory) Function{first, number, firstLine, isOfInterpreter, file, name};
    define(*made);
    list.compare_exchange_strong(first, made, std::memory_order_acq_rel);
    return made;
}

/// 0 where it is not known.
std::uint32_t lineOf(std::uint64_t lineTable, std::uint32_t firstLine, std::uint64_t offset,
                     const Layout& layout, Memory& memory) noexcept {
    std::uint64_t bytes = 0;
    const std::uint64_t data = lineTable + layout.bytes.data;
    if (!memory.read(lineTable + layout.bytes.size, bytes) || !memory.isReadable(data, bytes)) return 0;
    return lineAt({code::bytesAt(data), code::bytesAt(data + bytes)}, firstLine, offset);
}

}  // namespace

inline bool RunningFunctions::read(std::uint64_t code, const Interpreter& interpreter, Memory& memory,
                                   Said& said) noexcept {
    const auto& layout = interpreter.layout.code;
    return memory.read(code + layout.file, said.file) && memory.read(code + layout.name, said.name) &&
           memory.read(code + layout.lineTable, said.lineTable) &&
           memory.read(code + layout.firstLine, said.firstLine);
}

/// A code object in the place of another may say the same of where its names are, though those are others.
inline bool RunningFunctions::isStill(const Known& known, const Interpreter& interpreter,
                                      Memory& memory) noexcept {
    Said now;
    if (!read(known.running.code, interpreter, memory, now) || now != known.said ||
        !isText(known.function->name->text, now.name, interpreter.layout, memory))
        return false;
    if (comparedFile_ == now.file && fileThere_ == known.function->file) return true;
    if (!isText(known.function->file->text, now.file, interpreter.layout, memory)) return false;
    comparedFile_ = now.file;
    fileThere_ = known.function->file;
    return true;
}

bool RunningFunctions::find(const RunningCode& running, const Interpreter& interpreter,
                            Known& known) noexcept {
    // Once for each place in a program: what is read is asked for.
    Memory memory(Memory::Trust::None);
    const Layout& layout = interpreter.layout;
    std::uint64_t type = 0;
    Text file;
    Text name;
    known.running = running;
    if (!memory.read(running.code + layout.object.type, type) || type != interpreter.codeType ||
        !read(running.code, interpreter, memory, known.said) ||
        !readText(interpreter, known.said.file, memory, file) ||
        !readText(interpreter, known.said.name, memory, name))
        return false;
    const StoredText* const storedFile = storedText(file);
    const StoredText* const storedName = storedText(name);
    if (storedFile == nullptr || storedName == nullptr) return false;
    known.function = functionOf(storedFile, storedName, known.said.firstLine);
    const std::uint64_t begin = running.code + layout.code.instructions;
    known.line = running.instruction < begin ? known.said.firstLine  // it has not begun
                                             : lineOf(known.said.lineTable, known.said.firstLine,
                                                      running.instruction - begin, layout, memory);
    return known.function != nullptr;
}

std::uint64_t RunningFunctions::callOf(const RunningCode& running, const Interpreter& interpreter,
                                       Memory& memory) noexcept {
    Known& known = known_[(running.instruction * kMix) >> (64 - kBits)];
    const bool isKnown = known.function != nullptr && known.running.code == running.code &&
                         known.running.instruction == running.instruction &&
                         isStill(known, interpreter, memory);
    if (!isKnown && !find(running, interpreter, known)) {
        known.function = nullptr;
        return 0;
    }
    if (known.function->isOfInterpreter) return 0;
    return addressOf({known.function->number, known.line});
}

}  // namespace holos::tracing::stacks::python
