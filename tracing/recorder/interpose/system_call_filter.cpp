// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/system_call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace holos::tracing::interpose {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

/// Nothing where it depends on a parameter of the system call.
using Value = std::optional<std::uint32_t>;

/// The simple processor at one instruction.
struct State {
    std::uint32_t at = 0;
    Value accumulator{0};
    Value index{0};
    std::array<Value, BPF_MEMWORDS> memory{};
};

bool isPassed(Value result) noexcept {
    if (!result) return false;
    const std::uint32_t action = *result & SECCOMP_RET_ACTION_FULL;
    return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}

/// Runs the filter. Ways that are still to be gone wait in `waiting_`; where these become too many, the
/// answer is no.
class Run {
  public:
    Run(const sock_fprog& filter, long number) noexcept
        : filter_(filter), number_(static_cast<std::uint32_t>(number)) {
        waiting_[count_++] = State{};
    }

    bool isAlwaysPassed() noexcept {
        while (count_ > 0) {
            State state = waiting_[--count_];
            if (!goAlong(state)) return false;
        }
        return true;
    }

  private:
    static constexpr unsigned kMostSteps = 100'000;

    /// To the end of a way; false where the call may not pass.
    bool goAlong(State& state) noexcept {
        while (state.at < filter_.len && ++steps_ < kMostSteps) {
            const sock_filter& one = filter_.filter[state.at++];
            if (BPF_CLASS(one.code) == BPF_RET)
                return isPassed(BPF_RVAL(one.code) == BPF_A ? state.accumulator : Value(one.k));
            if (!step(state, one)) return false;
        }
        return false;
    }

    bool step(State& state, const sock_filter& one) noexcept {
        switch (BPF_CLASS(one.code)) {
            case BPF_LD:
                return load(state, state.accumulator, one);
            case BPF_LDX:
                return load(state, state.index, one);
            case BPF_ST:
                return store(state, state.accumulator, one.k);
            case BPF_STX:
                return store(state, state.index, one.k);
            case BPF_ALU:
                return calculate(state, one);
            case BPF_JMP:
                return jump(state, one);
            default:
                (BPF_MISCOP(one.code) == BPF_TAX ? state.index : state.accumulator) =
                    BPF_MISCOP(one.code) == BPF_TAX ? state.accumulator : state.index;
                return true;
        }
    }

    bool load(const State& state, Value& to, const sock_filter& one) const noexcept {
        switch (BPF_MODE(one.code)) {
            case BPF_IMM:
                to = one.k;
                return true;
            case BPF_ABS:
                to = ofCall(one.k);
                return true;
            case BPF_LEN:
                to = static_cast<std::uint32_t>(sizeof(seccomp_data));
                return true;
            case BPF_MEM:
                if (one.k >= state.memory.size()) return false;
                to = state.memory[one.k];
                return true;
            default:
                return false;
        }
    }

    Value ofCall(std::uint32_t offset) const noexcept {
        if (offset == offsetof(seccomp_data, nr)) return number_;
        if (offset == offsetof(seccomp_data, arch) && kArchitecture != 0) return kArchitecture;
        return std::nullopt;
    }

    static bool store(State& state, Value value, std::uint32_t at) noexcept {
        if (at >= state.memory.size()) return false;
        state.memory[at] = value;
        return true;
    }

    static Value operandOf(const State& state, const sock_filter& one) noexcept {
        return BPF_SRC(one.code) == BPF_X ? state.index : Value(one.k);
    }

    static bool calculate(State& state, const sock_filter& one) noexcept {
        const Value operand = operandOf(state, one);
        Value& result = state.accumulator;
        const bool isKnown = result.has_value() && (BPF_OP(one.code) == BPF_NEG || operand.has_value());
        result = isKnown ? calculated(BPF_OP(one.code), *result, operand.value_or(0)) : std::nullopt;
        return true;
    }

    static Value calculated(unsigned operation, std::uint32_t a, std::uint32_t b) noexcept {
        constexpr std::uint32_t kBits = 32;
        switch (operation) {
            case BPF_ADD:
                return a + b;
            case BPF_SUB:
                return a - b;
            case BPF_MUL:
                return a * b;
            case BPF_DIV:
                return b != 0 ? Value(a / b) : std::nullopt;
            case BPF_OR:
                return a | b;
            case BPF_AND:
                return a & b;
            case BPF_XOR:
                return a ^ b;
            case BPF_LSH:
                return b < kBits ? Value(a << b) : std::nullopt;
            case BPF_RSH:
                return b < kBits ? Value(a >> b) : std::nullopt;
            case BPF_NEG:
                return 0U - a;
            default:
                return std::nullopt;
        }
    }

    /// Goes both ways of a jump where it is not known which one is taken.
    bool jump(State& state, const sock_filter& one) noexcept {
        if (BPF_OP(one.code) == BPF_JA) {
            state.at += one.k;
            return true;
        }
        const Value operand = operandOf(state, one);
        if (state.accumulator && operand) {
            state.at += holds(BPF_OP(one.code), *state.accumulator, *operand) ? one.jt : one.jf;
            return true;
        }
        if (count_ == waiting_.size()) return false;
        waiting_[count_] = state;
        waiting_[count_++].at += one.jt;
        state.at += one.jf;
        return true;
    }

    static bool holds(unsigned operation, std::uint32_t a, std::uint32_t b) noexcept {
        switch (operation) {
            case BPF_JEQ:
                return a == b;
            case BPF_JGT:
                return a > b;
            case BPF_JGE:
                return a >= b;
            default:
                return (a & b) != 0;
        }
    }

    const sock_fprog& filter_;
    std::uint32_t number_;
    unsigned steps_ = 0;
    std::size_t count_ = 0;
    std::array<State, 24> waiting_;
};

}  // namespace

bool lets(const sock_fprog& filter, long number) noexcept {
    if (filter.filter == nullptr) return false;
    return Run(filter, number).isAlwaysPassed();
}

}  // namespace holos::tracing::interpose
