// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "algebra/cubepl/evaluation.h"
#include "base/error.h"

/// Whatever the program: an error or a number, in bounded time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holos::algebra::cubepl;
    try {
        const Program program = parse({reinterpret_cast<const char*>(data), size});
        const std::vector<std::vector<double>> operands(program.references.size(), {1.0});
        Budget budget({.work = 100'000, .memory = 1U << 20});
        evaluate(program, {.operands = operands, .budget = &budget});
    } catch (const holos::Error&) {
    }
    return 0;
}
