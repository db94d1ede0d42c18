// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tracing/code/loaded/byte_reader.h"
#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/stacks/python/interpreter.h"

namespace holos::tracing::stacks::python {

/// The program's memory, which may not be what it is taken for.
class Memory {
  public:
    enum class Trust : std::uint8_t {
        All,   ///< the thread called the recorder: what its interpreter points to is there
        None,  ///< it was interrupted anywhere: each page is asked for
    };
    explicit Memory(Trust trust) noexcept : isTrusted_(trust == Trust::All) {}

    /// False where the thread may not read there, and, if it was interrupted, for more than a megabyte.
    bool isReadable(std::uint64_t address, std::uint64_t bytes) noexcept {
        if (isTrusted_) return address >= kPage;
        constexpr std::uint64_t kMost = 1U << 20U;
        return address >= kPage && bytes <= kMost && address + bytes >= address &&
               areReadable(address, bytes);
    }

    template <class T>
    bool read(std::uint64_t address, T& value) noexcept {
        if (!isReadable(address, sizeof value)) return false;
        std::memcpy(&value, code::bytesAt(address), sizeof value);
        return true;
    }

  private:
    static constexpr std::uint64_t kPage = 4096;

    bool areReadable(std::uint64_t address, std::uint64_t bytes) noexcept;

    bool isTrusted_;
    std::size_t next_ = 0;
    std::array<std::uint64_t, 8> pages_{};  ///< that can be read
};

/// A Python function that runs, and where in it.
struct RunningCode {
    std::uint64_t code = 0;         ///< its code object
    std::uint64_t instruction = 0;  ///< an address within it
};

/// The Python functions of a thread, the innermost first, in parts: those that one call of the interpreter's
/// loop runs. Each call of the loop has something of its own on the native stack, by which it is known to run
/// this part and no other.
///
///     native stack    main ◀── loop ◀── extension ◀── loop ◀── MPI_Send
///     the loop's                 │                      │
///     Python functions        module, run            callback
class FrameParts {
  public:
    static constexpr std::size_t kMost = 256;

    /// Takes the frames of the calling thread, whose state the interpreter has there. `stack`: the part of it
    /// that is in use.
    void begin(const Interpreter& interpreter, std::uint64_t thread, const code::Stack& stack,
               Memory& memory) noexcept;
    /// There are none.
    void end() noexcept { anchor_ = frame_ = block_ = fromEnd_ = 0; }

    /// Whether the innermost part that is left is run by the native function with this part of the stack.
    bool isWithin(std::uint64_t low, std::uint64_t high) noexcept {
        if (frame_ != 0) findPart();
        return anchor_ != 0 && anchor_ >= low && anchor_ < high;
    }
    /// Whether a call of the loop is there. One that was interrupted as it began has not said yet what it
    /// runs and what is around that: it is followed by what the next call has at the same place.
    bool isWithinLoop(std::uint64_t low, std::uint64_t high) noexcept;
    /// Takes the innermost part, which is left no longer; of too many functions the innermost; none where the
    /// loop is only beginning. It is there until more is asked for.
    std::span<const RunningCode> take() noexcept;
    /// Whether functions of a part that was taken were left out, as they were too many.
    bool isCut() const noexcept { return isCut_; }

  private:
    struct Frame {
        RunningCode code;
        std::uint64_t previous = 0;
        bool isEntry = false;
    };
    bool read(std::uint64_t address, Frame& frame) noexcept;
    void startAt(std::uint64_t block) noexcept;
    void leavePart() noexcept { anchor_ = frame_ = 0; }
    void keep(const RunningCode& code) noexcept {
        if (count_ < kMost)
            codes_[count_++] = code;
        else
            areTooMany_ = true;
    }
    void findPart() noexcept;
    bool readFlaggedPart() noexcept;

    const Interpreter* interpreter_ = nullptr;
    Memory* memory_ = nullptr;
    code::Stack stack_;
    std::uint64_t anchor_ =
        0;  ///< what the loop has on the stack for the part; 0: there is none, or it is to be found
    std::uint64_t frame_ = 0;    ///< where the part begins, if it is to be found
    std::uint64_t block_ = 0;    ///< the innermost call's control block, until a part was found
    std::uint64_t fromEnd_ = 0;  ///< how far that is from the end of the call's part of the native stack
    bool areTooMany_ = false;
    bool isCut_ = false;
    std::size_t count_ = 0;
    std::array<RunningCode, kMost> codes_;
};

/// The line of the instruction so many bytes behind the first, by a code object's table of locations
/// (`co_linetable`; the format of CPython 3.11 and later, Objects/locations.md). 0: it has none.
std::uint32_t lineAt(code::ByteReader table, std::uint32_t firstLine, std::uint64_t offset) noexcept;

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
constexpr std::size_t utf8Room(const Text& text) noexcept {
    constexpr std::size_t kMostOfOne = 4;
    return text.bytes / text.width * kMostOfOne + 1;
}

/// Python functions that were met, by what is in their code objects: those go away, and others come in their
/// place.

/// A text as it was in the interpreter's memory. Equal ones are one. Never changed, never freed.
struct StoredText {
    const StoredText* next;  ///< of the same list
    Text text;
};

/// Equal names in equal files from the same line on are one function. Never changed, never freed.
struct Function {
    const Function* next;  ///< of the same list
    std::uint32_t number;
    std::uint32_t firstLine;
    bool isOfInterpreter;  ///< code that is a part of the interpreter, as that of imports
    const StoredText* file;
    const StoredText* name;
};

/// The recorder's: what the function is, by whose number it is known from now on.
void writePythonFunction(std::uint32_t number, std::uint32_t firstLine, const char* file,
                         const char* name) noexcept;

/// What is known of running code, for one thread. Takes no lock; allocates for functions that are new alone.
class RunningFunctions {
  public:
    /// Before the functions of a stack.
    void begin() noexcept { comparedFile_ = 0; }

    /// In place of an address in a call path (`path_numbers.h`); 0 for code that is not to be seen, or of
    /// which nothing can be read.
    std::uint64_t callOf(const RunningCode& running, const Interpreter& interpreter, Memory& memory) noexcept;

  private:
    /// What a code object says, as far as its function is told by it.
    struct Said {
        std::uint64_t file = 0;
        std::uint64_t name = 0;
        std::uint64_t lineTable = 0;
        std::uint32_t firstLine = 0;
        friend bool operator==(const Said&, const Said&) = default;
    };
    struct Known {
        RunningCode running;
        Said said;
        std::uint32_t line = 0;
        const Function* function = nullptr;
    };
    static bool read(std::uint64_t code, const Interpreter& interpreter, Memory& memory, Said& said) noexcept;
    static bool find(const RunningCode& running, const Interpreter& interpreter, Known& known) noexcept;
    bool isStill(const Known& known, const Interpreter& interpreter, Memory& memory) noexcept;

    static constexpr unsigned kBits = 8;
    std::array<Known, std::size_t{1} << kBits> known_;
    /// A text object, and what was found in it: functions of one file have it in common.
    std::uint64_t comparedFile_ = 0;
    const StoredText* fileThere_ = nullptr;
};

}  // namespace holos::tracing::stacks::python
