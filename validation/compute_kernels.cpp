// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "base/error.h"
#include "validation/kernels.h"
#include "validation/processors.h"

namespace holos::validation::kernels {

namespace {

/// Makes the compiler believe that the value changed: it can neither foresee it nor leave the loop out.
template <class Value>
void hide(Value& value) {
    asm volatile("" : "+m"(value) : : "memory");
}

template <class Operation>
void repeat(std::uint64_t size, Window& window, Operation operation) {
    window.begin();
    for (std::uint64_t turn = 0; turn < size; ++turn) operation();
    window.end();
}

/// Of a thread that is not observed.
class Unseen final : public Window {
  public:
    void begin() noexcept override {}
    void end() noexcept override {}
};

/// The operand is read again in every turn, so that no vector instruction does several at once.
template <class Operation>
void floatingPoint(std::uint64_t size, Window& window, Operation operation) {
    double value = 1.0;
    double operand = 1.0;
    hide(operand);
    repeat(size, window, [&] {
        value = operation(value, operand);
        hide(operand);
    });
    hide(value);
}

}  // namespace

void nothing(std::uint64_t, Window& window) {
    window.begin();
    window.end();
}

void additions(std::uint64_t size, Window& window) {
    floatingPoint(size, window, [](double a, double b) { return a + b; });
}

void additionsOfTwo(std::uint64_t size, Window& window) {
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        meeting.meet();
        Unseen unseen;
        additions(size, unseen);
    });
    meeting.meet();
    additions(size, window);
}

void additionsOfMany(std::uint64_t size, Window& window) {
    const unsigned others = 2 * processorCount() - 1;
    Meeting meeting(others + 1);
    std::vector<std::jthread> threads;
    for (unsigned each = 0; each < others; ++each)
        threads.emplace_back([&meeting, size] {
            meeting.meet();
            Unseen unseen;
            additions(size, unseen);
        });
    meeting.meet();
    additions(size, window);
}

void multiplications(std::uint64_t size, Window& window) {
    floatingPoint(size, window, [](double a, double b) { return a * b; });
}

void divisions(std::uint64_t size, Window& window) {
    floatingPoint(size, window, [](double a, double b) { return a / b; });
}

void loads(std::uint64_t size, Window& window) {
    volatile std::uint64_t word = 0;
    repeat(size, window, [&word] { load(word); });
}

void stores(std::uint64_t size, Window& window) {
    volatile std::uint64_t word = 0;
    repeat(size, window, [&word] { word = 1; });
}

void instructions(std::uint64_t size, Window& window) {
    // Ten instructions a turn: eight that do nothing, and two for the loop.
    std::uint64_t turns = size / 10;
    window.begin();
#if defined(__x86_64__)
    asm volatile("1: .rept 8\n nop\n .endr\n dec %0\n jnz 1b" : "+r"(turns) : : "cc");
#elif defined(__aarch64__)
    asm volatile("1: .rept 8\n nop\n .endr\n subs %0, %0, #1\n b.ne 1b" : "+r"(turns) : : "cc");
#else
    turns = 0;
#endif
    window.end();
#if !defined(__x86_64__) && !defined(__aarch64__)
    throw Error("the microbenchmark of instructions is written for x86-64 and AArch64 only");
#endif
}

void takenBranches(std::uint64_t size, Window& window) {
    repeat(size, window, [] { asm volatile(""); });
}

void randomBranches(std::uint64_t size, Window& window) {
    std::uint64_t state = 88172645463325252u;
    repeat(2 * size, window, [&state] {
        state ^= state << 13;  // Marsaglia's xorshift
        state ^= state >> 7;
        state ^= state << 17;
        if ((state & 1) != 0)
            asm volatile("" : : : "memory");  // keeps the branch a branch
        else
            asm volatile("" : "+r"(state));
    });
}

}  // namespace holos::validation::kernels
