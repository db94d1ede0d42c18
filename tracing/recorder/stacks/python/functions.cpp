// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/functions.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/fnv1a.h"
#include "base/text.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::tracing::stacks::python {
namespace {

/// The kernel reads a set of signals before it finds out that it does not know what to do with it.
bool canRead(std::uint64_t page) noexcept {
    constexpr int kNothingToDo = -1;
    constexpr std::size_t kSetBytes = 8;
    const int saved = errno;
    const long result = ::syscall(SYS_rt_sigprocmask, kNothingToDo, page, nullptr, kSetBytes);
    const bool canBeRead = result != 0 && errno == EINVAL;
    errno = saved;
    return canBeRead;
}

}  // namespace

bool Memory::areReadable(std::uint64_t address, std::uint64_t bytes) noexcept {
    for (std::uint64_t page = address & ~(kPage - 1); page < address + bytes; page += kPage) {
        if (std::find(pages_.begin(), pages_.end(), page) != pages_.end()) continue;
        if (!canRead(page)) return false;
        pages_[next_] = page;
        next_ = (next_ + 1) % pages_.size();
    }
    return true;
}

namespace {

/// More than the interpreter allows; what goes on further leads round in circles.
constexpr std::size_t kMostFrames = 1U << 20U;

/// References may have marks in their lowest bits (3.14).
constexpr std::uint64_t kMarks = 7;

}  // namespace

void FrameParts::begin(const Interpreter& interpreter, std::uint64_t thread, const code::Stack& stack,
                       Memory& memory) noexcept {
    const Layout& layout = interpreter.layout;
    interpreter_ = &interpreter;
    memory_ = &memory;
    stack_ = stack;
    isCut_ = false;
    end();
    std::uint64_t innermost = 0;
    if (!memory.read(thread + layout.thread.frames, innermost)) return;
    // What was read is the thread's as long as the interpreter did not begin to end before, and throw away
    // the states of all threads but one.
    std::atomic_thread_fence(std::memory_order_acquire);
    std::uint64_t endingThread = 0;
    if (!memory.read(interpreter.runtime + layout.runtime.finalizing, endingThread)) return;
    if (endingThread != 0 && endingThread != thread) return;
    if (!layout.control.exists) {
        frame_ = innermost;
        return;
    }
    block_ = innermost;
    startAt(block_);
}

/// Outside of the interpreter's loop the thread's state has a control block of its own.
void FrameParts::startAt(std::uint64_t block) noexcept {
    if (!stack_.contains(block, 3 * sizeof(std::uint64_t))) return;
    const Layout& layout = interpreter_->layout;
    if (layout.frame.hasEntryFlag)
        anchor_ = block;
    else if (!memory_->read(block + layout.control.frame, frame_))
        leavePart();
}

bool FrameParts::isWithinLoop(std::uint64_t low, std::uint64_t high) noexcept {
    if (block_ >= low && block_ < high) {
        fromEnd_ = high - block_;
    } else if (fromEnd_ != 0) {  // nothing was found from that block on
        leavePart();
        startAt(high - fromEnd_);
    }
    return isWithin(low, high);
}

bool FrameParts::read(std::uint64_t address, Frame& frame) noexcept {
    const auto& layout = interpreter_->layout.frame;
    std::uint8_t flag = 0;
    if (address % sizeof(std::uint64_t) != 0 || !memory_->read(address + layout.code, frame.code.code) ||
        !memory_->read(address + layout.instruction, frame.code.instruction) ||
        !memory_->read(address + layout.previous, frame.previous) ||
        (layout.hasEntryFlag && !memory_->read(address + layout.entryFlag, flag)))
        return false;
    frame.code.code &= ~kMarks;
    frame.isEntry = flag != 0;
    return true;
}

/// Up to the frame of the loop, which lies on the native stack.
void FrameParts::findPart() noexcept {
    std::uint64_t address = frame_;
    leavePart();
    count_ = 0;
    areTooMany_ = false;
    Frame frame;
    for (std::size_t n = 0; n < kMostFrames && address != 0 && read(address, frame); ++n) {
        if (stack_.contains(address)) {
            anchor_ = address;
            return;
        }
        keep(frame.code);
        address = frame.previous;
    }
}

/// Up to the frame with the flag. False where the parts do not fit together, as while the loop begins.
bool FrameParts::readFlaggedPart() noexcept {
    const auto& control = interpreter_->layout.control;
    const std::uint64_t block = anchor_;
    std::uint64_t address = 0;
    std::uint64_t outerBlock = 0;
    std::uint64_t outer = 0;
    leavePart();
    count_ = 0;
    areTooMany_ = false;
    if (!memory_->read(block + control.frame, address) ||
        !memory_->read(block + control.previous, outerBlock) ||
        !memory_->read(outerBlock + control.frame, outer))
        return false;
    Frame frame;
    for (std::size_t n = 0; n < kMostFrames && !frame.isEntry; ++n) {
        if (!read(address, frame)) return false;
        keep(frame.code);
        address = frame.previous;
    }
    if (!frame.isEntry || frame.previous != outer) return false;
    if (outerBlock > block && stack_.contains(outerBlock, 3 * sizeof(std::uint64_t))) anchor_ = outerBlock;
    return true;
}

std::span<const RunningCode> FrameParts::take() noexcept {
    if (interpreter_->layout.frame.hasEntryFlag) {
        if (!readFlaggedPart()) return {};
    } else {
        Frame loop;
        const bool isRead = read(anchor_, loop);
        leavePart();
        if (!isRead) return {};
        frame_ = loop.previous;
    }
    block_ = fromEnd_ = 0;
    isCut_ = isCut_ || areTooMany_;
    return {codes_.data(), count_};
}

namespace {

/// Six bits a byte, the lowest first; a seventh says that more follow.
std::uint64_t getNumber(code::ByteReader& table) noexcept {
    constexpr unsigned kBits = 6;
    constexpr unsigned kMore = 1U << kBits;
    std::uint64_t value = 0;
    for (unsigned shift = 0; table.isGood() && shift < 64; shift += kBits) {
        const auto byte = table.get<std::uint8_t>();
        value |= std::uint64_t{byte & (kMore - 1)} << shift;
        if ((byte & kMore) == 0) break;
    }
    return value;
}

/// The lowest bit is the sign.
std::int64_t getSignedNumber(code::ByteReader& table) noexcept {
    const std::uint64_t value = getNumber(table);
    const auto magnitude = static_cast<std::int64_t>(value >> 1U);
    return (value & 1U) != 0 ? -magnitude : magnitude;
}

/// Forms of entries; those below `kOneLine` have columns alone, on the line before.
constexpr unsigned kOneLine = 10;
constexpr unsigned kOneLineLast = 12;
constexpr unsigned kNoColumns = 13;
constexpr unsigned kLong = 14;
constexpr unsigned kNone = 15;

/// Reads what follows the start of an entry; by how much its line is further.
std::int64_t getRest(code::ByteReader& table, unsigned form) noexcept {
    if (form == kNone) return 0;
    if (form < kOneLine) {
        table.get<std::uint8_t>();
        return 0;
    }
    if (form <= kOneLineLast) {
        table.get<std::uint8_t>();
        table.get<std::uint8_t>();
        return form - kOneLine;
    }
    const std::int64_t lines = getSignedNumber(table);
    if (form == kNoColumns) return lines;
    for (int i = 0; i < 3; ++i) getNumber(table);  // last line and columns
    return lines;
}

}  // namespace

std::uint32_t lineAt(code::ByteReader table, std::uint32_t firstLine, std::uint64_t offset) noexcept {
    static_assert(kLong == kNoColumns + 1);
    constexpr unsigned kFormShift = 3;
    constexpr unsigned kFormMask = 15;
    constexpr unsigned kLengthMask = 7;
    constexpr std::uint64_t kInstruction = 2;  // bytes
    std::int64_t line = firstLine;
    std::uint64_t end = 0;
    while (table.isGood() && !table.isAtEnd()) {
        const auto begin = table.get<std::uint8_t>();
        const unsigned form = (begin >> kFormShift) & kFormMask;
        line += getRest(table, form);
        end += ((begin & kLengthMask) + 1) * kInstruction;
        if (!table.isGood()) break;
        if (offset < end) return form != kNone && line > 0 ? static_cast<std::uint32_t>(line) : 0;
    }
    return 0;
}

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

/// The known function of these texts and this line, or a new one.
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
