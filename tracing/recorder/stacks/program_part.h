// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/stacks/python/mixed_stack.h"
#include "tracing/recorder/stacks/thread_stack.h"
#include "tracing/recorder/stacks/walk/code_owner.h"
#include "tracing/recorder/stacks/walk/stack_walk.h"
#include "tracing/recordings/format/record.h"

namespace holos::tracing::stacks {

/// `address`: of the code.
CodeOwner ownerOf(const code::LoadedFile& file, std::uint64_t address) noexcept;
/// The owner of an address of any file; code that is of no file is the program's. While a `FileTableUse`
/// lives.
CodeOwner ownerOf(std::uint64_t address) noexcept;

/// Some of the functions on a stack.
struct ProgramPart {
    std::span<const Frame> functions;
    /// Nothing of what was walked lies around them: who called the last one is what the walk's end says.
    bool isLast = false;
};

/// The functions on a stack, the innermost first, that lie in the region in which the thread is.
///
///     poll, libmpi, libmpi, MPI_Send of the recorder | exchange, solve, main | start code    MPI_Send
///     exp, kernel, share | libgomp, recorder, libgomp, start_thread                           parallel
///     region
///                 of them: the first part between runtimes in which there is code of the program
///
/// Without the system's code that calls `main` and threads, where the walk came there. `region`: the stack
/// pointer where the innermost function of the program that the recorder was told of began its call to say
/// so; it is the last one then. Empty when there is no code of the program.
ProgramPart programPart(std::span<const Frame> frames, WalkEnd end, const CodeOwner* owners,
                        StackBound region) noexcept;

/// What a sample says.
struct SampledPart {
    std::span<const Frame> functions;  ///< the innermost first
    PathNumber root = kNoPath;         ///< what stands in place of those around them: as that of a path
};

/// The functions that a thread was in when it was interrupted.
class SampledStack {
  public:
    /// The functions that lie in the region in which the thread is (`programPart`), `kMostSampledFrames` at
    /// most. Python's stand in place of the interpreter's; `mixed` is what that needs, and is made when it is
    /// needed.
    SampledPart programFunctions(const code::Registers& registers, const code::Stack& stack,
                                 StackBound region, python::MixedStack*& mixed) noexcept;

  private:
    bool hasInterpreter() const noexcept;
    SampledPart withPython(const code::Registers& registers, const code::Stack& stack, StackBound region,
                           python::MixedStack& mixed) noexcept;

    /// An interpreter needs many functions for one of Python.
    static constexpr std::size_t kMostWalked = 4 * kMostSampledFrames;

    std::size_t count_ = 0;
    WalkEnd end_ = WalkEnd::Unknown;
    std::array<Frame, kMostWalked> frames_;
    std::array<CodeOwner, kMostWalked> owners_;
    std::array<Frame, kMostSampledFrames> mixedFrames_;
    std::array<CodeOwner, kMostSampledFrames> mixedOwners_;
};

}  // namespace holos::tracing::stacks
