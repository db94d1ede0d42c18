// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::core {

/// While it lives, floating-point numbers are computed as usual and trap nowhere; then the thread has its
/// rounding, traps and flags again. For whatever of the recorder computes with them in a thread of the
/// program, which may look at the flags (`fetestexcept`), or end at what it set a trap for.
///
/// The compiler may move computations over it: they stand in a function that is called and not inlined.
class KeepFloatingPoint {
  public:
#if defined(__x86_64__)
    KeepFloatingPoint() noexcept : state_(__builtin_ia32_stmxcsr()) {
        constexpr unsigned kUsual = 0x1f80;  // no trap, no flag, to the nearest
        __builtin_ia32_ldmxcsr(kUsual);
    }
    ~KeepFloatingPoint() {
        __builtin_ia32_ldmxcsr(state_);
    }
#elif defined(__aarch64__)
    KeepFloatingPoint() noexcept {
        asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control_), "=r"(state_));
        asm volatile("msr fpcr, xzr");
    }
    ~KeepFloatingPoint() {
        asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(control_), "r"(state_));
    }
#else
    KeepFloatingPoint() noexcept {}
    ~KeepFloatingPoint() {}
#endif
    KeepFloatingPoint(const KeepFloatingPoint&) = delete;
    KeepFloatingPoint& operator=(const KeepFloatingPoint&) = delete;

  private:
#if defined(__x86_64__)
    unsigned state_;
#elif defined(__aarch64__)
    std::uint64_t control_ = 0;
    std::uint64_t state_ = 0;
#endif
};

}  // namespace holos::tracing::core
