// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "algebra/cubepl/evaluation.h"
#include "metric-specs/error.h"

/// Whatever the program: an error or a number, in bounded time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holos::algebra::cubepl;
    try {
        const Program program = parse({reinterpret_cast<const char*>(data), size});
        const std::vector<std::vector<double>> operands(program.references.size(), {1.0});
        Budget budget{.loops = 10'000, .elements = 10'000};
        evaluate(program, {.operands = operands, .budget = &budget});
    } catch (const holos::Error&) {
    }
    return 0;
}
