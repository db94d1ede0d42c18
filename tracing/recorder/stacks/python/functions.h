// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

#include "tracing/recorder/stacks/python/frames.h"
#include "tracing/recorder/stacks/python/text.h"

/// Python functions that were met, by what is in their code objects: those go away, and others come in their
/// place.
namespace holos::tracing::stacks::python {

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

    /// In place of an address in a call path (`python_call.h`); 0 for code that is not to be seen, or of
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
