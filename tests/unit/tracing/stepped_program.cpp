// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/tracing/stepped_program.h"

#if defined(__x86_64__)

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>

#include "tracing/code/loaded/byte_reader.h"

namespace holos::testing {
namespace {

using code::bytesAt;

constexpr std::size_t kStackBytes = 1U << 20U;
constexpr unsigned char kBreakpoint = 0xCC;

void (*steppedFunction)();
ucontext_t context;

/// The steps start and end in here, so that each call of the function is seen.
void runBetweenBreakpoints() {
    asm volatile("int3");
    steppedFunction();
    asm volatile("int3");
    ::_exit(0);
}

[[noreturn]] void runOn(void* stack) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
    ::getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = kStackBytes;
    ::makecontext(&context, &runBetweenBreakpoints, 0);
    ::setcontext(&context);
    ::_exit(1);
}

std::uint64_t wordAt(std::uint64_t address) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytesAt(address), sizeof word);
    return word;
}

bool isCallInstruction(const unsigned char* code) {
    const auto isPrefix = [](unsigned char byte) {
        constexpr unsigned char kExtensions = 0x40;
        return (byte & 0xF0U) == kExtensions || byte == 0x66 || byte == 0x67 || byte == 0x3E || byte == 0xF2;
    };
    while (isPrefix(*code)) ++code;
    constexpr unsigned char kDirect = 0xE8;
    constexpr unsigned char kIndirect = 0xFF;
    constexpr unsigned char kCallOfGroup = 2;
    return *code == kDirect || (*code == kIndirect && (code[1] >> 3U & 7U) == kCallOfGroup);
}

}  // namespace

SteppedProgram::SteppedProgram(void (*function)())
    : stack_(::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    steppedFunction = function;
    process_ = ::fork();
    if (process_ == 0) runOn(stack_);
    int status = 0;
    if (::waitpid(process_, &status, 0) != process_ || !WIFSTOPPED(status)) process_ = 0;
}

SteppedProgram::~SteppedProgram() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    ::munmap(stack_, kStackBytes);
}

code::Stack SteppedProgram::stack() const {
    const auto low = reinterpret_cast<std::uint64_t>(stack_);
    return {low, low + kStackBytes};
}

bool SteppedProgram::advance(int signal, int& status) const {
    return ::ptrace(PTRACE_SINGLESTEP, process_, nullptr, signal) == 0 &&
           ::waitpid(process_, &status, 0) == process_ && WIFSTOPPED(status);
}

/// Calls whose return addresses lie below the stack pointer have returned, or were left by a jump.
void SteppedProgram::follow(const user_regs_struct& before, const user_regs_struct& now) {
    while (!calls_.empty() && calls_.back().end <= now.rsp) calls_.pop_back();
    if (isCallInstruction(bytesAt(before.rip)) && now.rsp == before.rsp - sizeof(std::uint64_t))
        calls_.push_back({wordAt(now.rsp) - 1, before.rsp});
}

/// The system calls the handler from code that ends signals, which stands below the interrupted function.
void SteppedProgram::deliver(const user_regs_struct& before, const user_regs_struct& now) {
    calls_.push_back({before.rip, before.rsp});
    calls_.push_back({wordAt(now.rsp) - 1, now.rsp + sizeof(std::uint64_t)});
}

std::size_t SteppedProgram::run(const std::function<void(const Step&)>& step) {
    std::size_t steps = 0;
    user_regs_struct before{};
    user_regs_struct now{};
    int signal = 0;
    for (int status = 0;; ++steps) {
        ::ptrace(PTRACE_GETREGS, process_, nullptr, &now);
        const std::size_t depth = calls_.size();
        if (signal != 0)
            deliver(before, now);
        else if (steps > 0)
            follow(before, now);
        step({now, calls_, calls_.size() == depth + 1});
        if (*bytesAt(now.rip) == kBreakpoint) return steps;
        before = now;
        if (!advance(0, status)) return 0;
        signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        if (signal == 0) continue;
        ::ptrace(PTRACE_GETREGS, process_, nullptr, &before);
        if (!advance(signal, status) || WSTOPSIG(status) != SIGTRAP) return 0;
    }
}

}  // namespace holos::testing

#endif
