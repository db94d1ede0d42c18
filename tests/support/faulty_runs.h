// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tests/support/trace_builder.h"

namespace holos::testing {

/// What is wrong with a program.
enum class Fault : std::uint8_t {
    LateOne,           ///< one process or thread has more to do
    Gradient,          ///< work grows from process to process, or from thread to thread
    WrongOrder,        ///< messages are received in another order than they are sent
    Serial,            ///< one works alone
    Lock,              ///< threads want the same lock for much of their time
    SlowNode,          ///< all that a node's processes compute takes longer
    GrowingImbalance,  ///< as LateOne or Gradient, but growing from nothing while the program runs
    SmallMessages,     ///< much time goes into very many messages
    None,
    Chain,         ///< all work as much, but each only after the one before
    LateProgress,  ///< messages need their receivers, which compute outside of MPI
    Probe          ///< one process looks for the messages of all, of which one is late
};

/// A trace of a program that does the same in each of many steps: it computes and communicates.
struct FaultyRun {
    std::unique_ptr<TraceBuilder> trace;
    std::vector<unsigned> guilty;  ///< ranks, or thread numbers in a run of one process; empty where all are
};

/// Number, size, synchronization and strength of the fault vary with the variant, the times by chance; the
/// same variant is the same run each time.
FaultyRun faultyRun(Fault fault, unsigned variant);

}  // namespace holos::testing
