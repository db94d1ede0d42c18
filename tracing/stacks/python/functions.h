// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

#include "tracing/stacks/python/frames.h"
#include "tracing/stacks/python/text.h"

/// Python functions that were met, by what is in their code objects: those go away, and others come in their
/// place.
namespace holos::tracing::stacks::python {

/// Equal names in equal files from the same line on are one function. Never changed, never freed.
struct Function {
    const Function* next;  ///< of the same list
    std::uint32_t number;
    std::uint32_t firstLine;
    bool isOfInterpreter;  ///< code that is a part of the interpreter, as that of imports
    Text file;             ///< as in the interpreter's memory, in memory of the recorder
    Text name;
};

/// The recorder's: what the function is, by whose number it is known from now on.
void writePythonFunction(std::uint32_t number, std::uint32_t firstLine, const char* file,
                         const char* name) noexcept;

/// What is known of running code, for one thread. Takes no lock; allocates for functions that are new alone.
class RunningFunctions {
  public:
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
        const Function* function = nullptr;
        std::uint32_t line = 0;
    };
    static bool read(std::uint64_t code, const Interpreter& interpreter, Memory& memory, Said& said) noexcept;
    static bool find(const RunningCode& running, const Interpreter& interpreter, Known& known) noexcept;
    static bool isStill(const Known& known, const Interpreter& interpreter, Memory& memory) noexcept;

    static constexpr unsigned kBits = 8;
    std::array<Known, std::size_t{1} << kBits> known_;
};

}  // namespace holos::tracing::stacks::python
