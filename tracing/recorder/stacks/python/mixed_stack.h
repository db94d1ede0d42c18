// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tracing/recorder/stacks/python/functions.h"
#include "tracing/recorder/stacks/python/interpreter.h"
#include "tracing/recorder/stacks/walk/path_tree.h"
#include "tracing/recorder/stacks/walk/unloadings.h"

namespace holos::tracing::stacks::python {

/// The states that interpreters have for the calling thread: it has one in each subinterpreter that it runs
/// or ran code in, besides its first.
class ThreadStates {
  public:
    static constexpr std::size_t kMost = 16;

    /// Looks through the lists of interpreters and threads, which other threads may be changing: what is
    /// found may be none any more, and is to be read with care.
    std::span<const std::uint64_t> find(const Interpreter& interpreter) noexcept;

  private:
    std::array<std::uint64_t, kMost> states_;
};

/// A native function on the stack.
struct NativeFunction {
    std::uint64_t address = 0;  ///< what stands for it in paths
    std::uint64_t low = 0;      ///< its part of the stack
    std::uint64_t high = 0;
    CodeOwner owner = CodeOwner::Program;
};

/// The calls on a thread's stack where native functions and those of Python call each other: the
/// interpreter's own functions are left out, and in place of its loop stand the Python functions that it
/// runs. A loop that is not known to run any stays as it is.
class MixedStack {
  public:
    static constexpr std::size_t kMost = FrameParts::kMost;

    /// Of the calling thread now, with the interpreter that is there, if any. `stack`: the part of it that is
    /// in use.
    void begin(const Interpreter* interpreter, const code::Stack& stack, Memory::Trust trust) noexcept;
    /// The next function, from the innermost on.
    void add(const NativeFunction& function) noexcept;
    bool isFull() const noexcept { return count_ == kMost || parts_.isCut() || others_.isCut(); }

    /// What stands for the calls, the innermost first.
    std::span<const std::uint64_t> calls() const noexcept { return {calls_.data(), count_}; }
    /// Their path below `root`.
    PathNumber path(PathNumber root) noexcept;

  private:
    void put(std::uint64_t address) noexcept {
        if (count_ < kMost) calls_[count_++] = address;
    }
    bool addPart(FrameParts& parts) noexcept;
    bool addPartOf(const NativeFunction& function) noexcept;
    bool findOthers(const NativeFunction& function) noexcept;

    const Interpreter* interpreter_ = nullptr;
    Memory memory_{Memory::Trust::None};
    std::uint64_t checkedThread_ = 0;  ///< a state that was found to be this thread's
    bool isInterrupted_ = false;
    code::Stack stack_;
    FrameParts parts_;   ///< as the interpreter knows the thread
    FrameParts others_;  ///< of a subinterpreter, or of the interpreter around one
    bool hasStates_ = false;
    ThreadStates threadStates_;
    std::span<const std::uint64_t> states_;
    RunningFunctions functions_;
    std::size_t count_ = 0;
    std::array<std::uint64_t, kMost> calls_;

    struct Step {
        std::uint64_t address;
        PathNumber path;
    };
    PathNumber root_ = kNoPath;
    Unloadings::Moment moment_{0};
    std::size_t lastCount_ = 0;
    std::array<Step, kMost> last_;  ///< the last path, the outermost first
};

/// In memory of its own; null where there is none.
MixedStack* makeMixedStack() noexcept;
void release(MixedStack* stack) noexcept;

}  // namespace holos::tracing::stacks::python
