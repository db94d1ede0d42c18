// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/python/functions.h"

#include <atomic>
#include <cstring>
#include <new>

#include "tracing/memory/heap.h"
#include "tracing/stacks/python/line_table.h"
#include "tracing/stacks/python/python_call.h"

namespace holos::tracing::stacks::python {
namespace {

constexpr unsigned kListBits = 12;
std::array<std::atomic<const Function*>, std::size_t{1} << kListBits> lists;
std::atomic<std::uint32_t> nextNumber{1};

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;

std::uint64_t hashOf(const Text& text) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (std::size_t i = 0; i < text.bytes; ++i) hash = (hash ^ text.begin[i]) * 0x100000001B3U;
    return hash;
}

bool areEqual(const Text& a, const Text& b) noexcept {
    return a.bytes == b.bytes && a.width == b.width && std::memcmp(a.begin, b.begin, a.bytes) == 0;
}

bool beginsWith(const Text& text, const char* beginning) noexcept {
    const std::size_t length = std::strlen(beginning);
    return text.width == 1 && text.bytes >= length && std::memcmp(text.begin, beginning, length) == 0;
}

Text copyOf(const Text& text, unsigned char* memory) noexcept {
    std::memcpy(memory, text.begin, text.bytes);
    return {memory, text.bytes, text.width};
}

void define(const Function& function) noexcept {
    const std::size_t fileRoom = utf8Room(function.file);
    auto* const memory = static_cast<char*>(heap::allocate(fileRoom + utf8Room(function.name)));
    if (memory == nullptr) return;
    toUtf8(function.file, memory);
    toUtf8(function.name, memory + fileRoom);
    writePythonFunction(function.number, function.firstLine, memory, memory + fileRoom);
    heap::release(memory);
}

/// Null when there is no room.
const Function* makeFunction(const Function* next, const Text& file, const Text& name,
                             std::uint32_t firstLine) noexcept {
    if (nextNumber.load(std::memory_order_relaxed) >= kMostFunctions) return nullptr;
    void* const memory = heap::allocate(sizeof(Function) + file.bytes + name.bytes);
    if (memory == nullptr) return nullptr;
    auto* const texts = static_cast<unsigned char*>(memory) + sizeof(Function);
    const std::uint32_t number = nextNumber.fetch_add(1, std::memory_order_relaxed);
    const bool isOfInterpreter = beginsWith(file, "<frozen ");
    return new (memory) Function{
        next, number, firstLine, isOfInterpreter, copyOf(file, texts), copyOf(name, texts + file.bytes)};
}

const Function* functionOf(const Text& file, const Text& name, std::uint32_t firstLine) noexcept {
    const std::uint64_t hash = (hashOf(file) ^ (hashOf(name) * kMix) ^ firstLine) * kMix;
    auto& list = lists[hash >> (64 - kListBits)];
    const Function* first = list.load(std::memory_order_acquire);
    for (const Function* one = first; one != nullptr; one = one->next)
        if (one->firstLine == firstLine && areEqual(one->name, name) && areEqual(one->file, file)) return one;
    const Function* const made = makeFunction(first, file, name, firstLine);
    if (made == nullptr) return nullptr;
    define(*made);
    // Where another thread was faster, there are two of the same.
    list.compare_exchange_strong(first, made, std::memory_order_acq_rel);
    return made;
}

/// 0 where it is not known.
std::uint32_t lineOf(std::uint64_t lineTable, std::uint32_t firstLine, std::uint64_t offset,
                     const Layout& layout, Memory& memory) noexcept {
    std::uint64_t bytes = 0;
    const std::uint64_t data = lineTable + layout.bytes.data;
    if (!memory.read(lineTable + layout.bytes.size, bytes) || !memory.isReadable(data, bytes)) return 0;
    return lineAt({bytesAt(data), bytesAt(data + bytes)}, firstLine, offset);
}

}  // namespace

bool RunningFunctions::read(std::uint64_t code, const Interpreter& interpreter, Memory& memory,
                            Said& said) noexcept {
    const auto& layout = interpreter.layout.code;
    return memory.read(code + layout.file, said.file) && memory.read(code + layout.name, said.name) &&
           memory.read(code + layout.lineTable, said.lineTable) &&
           memory.read(code + layout.firstLine, said.firstLine);
}

/// A code object in the place of another may say the same of where its names are, though those are others.
bool RunningFunctions::isStill(const Known& known, const Interpreter& interpreter, Memory& memory) noexcept {
    Said now;
    Text file;
    Text name;
    return read(known.running.code, interpreter, memory, now) && now == known.said &&
           readText(interpreter, now.name, memory, name) && areEqual(name, known.function->name) &&
           readText(interpreter, now.file, memory, file) && areEqual(file, known.function->file);
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
    known.function = functionOf(file, name, known.said.firstLine);
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
