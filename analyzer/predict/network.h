// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include "analyzer/matching/matches.h"
#include "analyzer/predict/graph.h"

namespace holos::analyzer::predict {

/// What a message and a collective operation cost: latency + bytes / bandwidth.
struct Network {
    double latency = 0;       ///< ticks
    double ticksPerByte = 0;  ///< 0: there is no limit
    /// Larger messages are sent only when their receive is posted.
    std::uint64_t eager = std::numeric_limits<std::uint64_t>::max();
    bool isIdeal = false;  ///< MPI takes no time beside waiting

    bool isRendezvous(std::uint64_t bytes) const { return bytes > eager; }
    double transfer(std::uint64_t bytes) const { return latency + static_cast<double>(bytes) * ticksPerByte; }
    /// Of one rank, after all have come: by trees, or by one message for each other rank.
    double cost(const Exchange& exchange) const;
};

/// What the trace tells of its network.
struct NetworkEstimate {
    Network network;
    std::uint64_t messages = 0;  ///< of which the receiver waited, and which were measured
    std::uint64_t starved = 0;  ///< likewise, but a thread lacked a processor, so that they were not measured
    std::uint64_t sizes = 0;    ///< how many different ones, by powers of two
    std::uint64_t rendezvous = 0;  ///< messages that waited for their receiver
    std::uint64_t atOnce = 0;      ///< bytes of the largest one that did not, though it was not received yet
};

/// The quickest messages of each size make latency and bandwidth, of those whose sender and receiver had
/// processors: what the others took is no time of the network. The largest message that was through before
/// its receive was posted, and the smallest larger one that waited for it, say what is sent at once.
NetworkEstimate estimateNetwork(const matching::MatchedTrace& run, const replay::ReplayedCalls& calls);

/// MPI_Ssend and MPI_Issend wait for their receiver, however small the message is.
bool isSynchronousSend(const replay::ReplayedCalls& calls, std::uint32_t location, const replay::Call& call);

}  // namespace holos::analyzer::predict
