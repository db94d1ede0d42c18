// SPDX-License-Identifier: BSD-3-Clause
// What the recorder writes down of Python.
#include <array>
#include <cstdio>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/stacks/python/functions.h"

namespace holos::tracing::stacks::python {

void writePythonFunction(std::uint32_t number, std::uint32_t firstLine, const char* file,
                         const char* name) noexcept {
    core::writePythonFunction(number, firstLine, file, name);
}

void reportUnknownInterpreter(std::uint64_t version) noexcept {
    std::array<char, 256> text;
    std::array<char, 32> name{};
    if (version != 0)
        std::snprintf(name.data(), name.size(), " %u.%u", static_cast<unsigned>(version >> 24U & 0xFFU),
                      static_cast<unsigned>(version >> 16U & 0xFFU));
    std::snprintf(text.data(), text.size(),
                  "call paths have functions of the interpreter instead of Python's: Python%s is not known, "
                  "CPython from 3.11 on is",
                  name.data());
    trouble(text.data());
}

}  // namespace holos::tracing::stacks::python
