// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/main_function.h"

#include "tracing/code/machine/machine_code.h"

namespace holos::code {
namespace {

/// The code that begins a program is some ten instructions up to the call of `__libc_start_main`.
constexpr int kMostInstructions = 24;
/// Its first parameter is `main`: `rdi` (System V ABI for AMD64), as the instructions number it.
constexpr Operation::Register kFirstParameter = 7;

bool isConstant(const Operation::Sum& sum) {
    return sum.base == Operation::kNone && sum.index == Operation::kNone;
}

}  // namespace

std::optional<std::uint64_t> mainFunction(Elf* elf, std::uint64_t entry) {
    GElf_Ehdr header{};
    if (gelf_getehdr(elf, &header) == nullptr || header.e_machine != EM_X86_64) return {};
    const MachineCode code(elf);
    std::optional<std::uint64_t> found;
    std::uint64_t address = entry;
    for (int i = 0; i < kMostInstructions; ++i) {
        const auto instruction = code.at(address);
        if (!instruction) return {};
        // The C library's function is called through a place in memory, in a program that it is not part of.
        if (instruction->kind == Instruction::Kind::Call)
            return instruction->slot || (instruction->target && code.slotOfStub(*instruction->target))
                       ? found
                       : std::nullopt;
        if (instruction->kind != Instruction::Kind::Plain && instruction->kind != Instruction::Kind::Padding)
            return {};
        const Operation operation = code.operationAt(address);
        if ((operation.changed & (1U << kFirstParameter)) != 0) found.reset();
        if (operation.kind == Operation::Kind::Set && operation.to == kFirstParameter &&
            isConstant(operation.sum))
            found = operation.sum.constant;
        address += instruction->size;
    }
    return {};
}

}  // namespace holos::code
