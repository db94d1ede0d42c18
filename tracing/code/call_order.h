// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tracing/code/debug/source_functions.h"
#include "tracing/code/machine/code_extents.h"
#include "tracing/code/machine/function_flow.h"
#include "tracing/code/machine/jump_tables.h"
#include "tracing/code/machine/machine_code.h"

namespace holos::code {

/// Which calls may come after which in one run of a function of a program or library. A function that was
/// inlined runs where its code is entered, until it is left.
///
///     exchange:  MPI_Isend … MPI_Waitall     after MPI_Waitall comes no MPI_Isend: that is another run
///     run:       loop { smooth … exchange }  after `exchange` may come `exchange`
class CallOrder {
  public:
    /// The file, and what was found in it, must live longer.
    CallOrder(Elf* elf, const CodeExtents& extents)
        : extents_(extents), code_(elf), pads_(elf), twice_(elf), data_(elf) {}

    struct Call {
        std::uint64_t returned = 0;            ///< the address that it returns to, as the file has it
        std::vector<InlinedFunction> inlined;  ///< in which it stands, outermost first
    };

    /// Whether it is one, in a function whose code can be read.
    bool isKnown(const Call& call) { return flowAround(call) != nullptr; }
    /// In one run of the function that is inlined `depth` times. True where it is not known.
    bool mayFollow(const Call& first, const Call& second, std::size_t depth);

  private:
    /// Null where the call is not known.
    const FunctionFlow* flowAround(const Call& call);

    const CodeExtents& extents_;
    MachineCode code_;
    LandingPads pads_;
    ReturningTwice twice_;
    ReadOnlyData data_;
    std::map<std::uint64_t, std::unique_ptr<FunctionFlow>> flows_;  ///< by where functions begin
    /// The one that was asked for last, by the first call and the depth.
    std::optional<std::pair<std::pair<std::uint64_t, std::size_t>, FunctionFlow::Reach>> recent_;
};

}  // namespace holos::code
