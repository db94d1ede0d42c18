// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Where in the program a call comes from.
///
/// The recorder stands between a runtime system and functions of the program, such as that of a thread. Where
/// a compiler makes a jump of the last call of such a function, the call returns into the recorder.
namespace holos::tracing::core {

/// The place behind the call that returns to `returnAddress`. Where that is the recorder's own code: a place
/// in the function of the program that the recorder called last; null when it called none.
const void* callerOf(const void* returnAddress) noexcept;

/// In an interposed function: where in the program its call stands.
#define HOLOS_CALLER() holos::tracing::core::callerOf(__builtin_return_address(0))

/// While one exists, the recorder calls this function of the program.
class Calling {
  public:
    template <class Function>
    explicit Calling(Function* function) noexcept
        : outer_(replace(reinterpret_cast<const char*>(function) + 1)) {}  // its first instruction is before
    ~Calling() { replace(outer_); }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

    static const void* replace(const void* place) noexcept;

  private:
    const void* outer_;
};

}  // namespace holos::tracing::core
