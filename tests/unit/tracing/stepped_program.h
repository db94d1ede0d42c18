// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tracing/recorder/stacks/walk/stack_walk.h"

namespace holos::testing {

/// A call that is running: whoever calls or returns writes it down, whatever unwind tables say.
struct RunningCall {
    std::uint64_t from =
        0;  ///< an address within the instruction that calls; the interrupted one for a signal
    std::uint64_t end = 0;  ///< the stack pointer before the call
};

/// A function that runs one instruction after the other in a process of its own, whose memory this process
/// can read: its code is the same, and its stack is shared. For x86-64.
class SteppedProgram {
  public:
    /// What a step is told: the registers before the next instruction, and the calls that are running, the
    /// outermost first. `isCall`: the last instruction called, and this is the first one of the function.
    struct Step {
        const user_regs_struct& registers;
        const std::vector<RunningCall>& calls;
        bool isCall;
    };

    explicit SteppedProgram(void (*function)());
    ~SteppedProgram();
    SteppedProgram(const SteppedProgram&) = delete;
    SteppedProgram& operator=(const SteppedProgram&) = delete;

    /// False where a process may not step through another.
    bool isPossible() const { return process_ > 0; }
    code::Stack stack() const;

    /// Runs the function to its end and tells each step of it. The number of steps; 0 where it died.
    std::size_t run(const std::function<void(const Step&)>& step);

  private:
    bool advance(int signal, int& status) const;
    void follow(const user_regs_struct& before, const user_regs_struct& now);
    void deliver(const user_regs_struct& before, const user_regs_struct& now);

    void* stack_;
    pid_t process_ = 0;
    std::vector<RunningCall> calls_;
};

}  // namespace holos::testing
