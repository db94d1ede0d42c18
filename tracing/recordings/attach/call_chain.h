// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tracing/recordings/attach/kernel_records.h"
#include "tracing/recordings/attach/process_list.h"

namespace holos::attach {

/// Finds the calls that led to a sample, by what the files of the program say of their functions' frames
/// (`.eh_frame`, as debuggers do it), in the part of the stack that the sample has.
///
/// Thread safety: one thread.
class CallChains {
  public:
    CallChains();
    ~CallChains();
    CallChains(CallChains&&) = delete;

    /// The code of the process from now on.
    void setCode(std::span<const LoadedPart> code);

    /// Addresses of instructions, the innermost first: of callers, one that belongs to the call. Where the
    /// files say nothing, by frame pointers.
    std::vector<std::uint64_t> of(const KernelSample& sample);

  private:
    class Session;
    std::unique_ptr<Session> session_;
};

/// What of a chain is the program's: without the functions of the system that call `main` and the functions
/// of threads. `isWhole`: it begins with these.
struct ProgramChain {
    std::vector<std::uint64_t> addresses;
    bool isWhole = false;
};
ProgramChain programPart(std::vector<std::uint64_t> chain, std::span<const LoadedPart> code);

}  // namespace holos::attach
