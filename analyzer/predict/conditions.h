// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holos::analyzer::predict {

/// One thing that would be different.
struct Condition {
    enum class Kind : unsigned char {
        IdealNetwork,
        Latency,    ///< seconds
        Bandwidth,  ///< bytes per second
        Eager,      ///< bytes
        Balance,
        Speedup,
        Remove,
        Limit,  ///< seconds
        ThreadsBalanced,
        JoinedThreadsBalanced,
        LocksFree,
        CpuRatio
    };
    Kind kind = Kind::IdealNetwork;
    std::string text;       ///< as it was written
    std::string name = {};  ///< of the call path, or the node
    double value = 0;
};

/// `network=ideal`, `latency=2us`, `bandwidth=10G`, `eager=64K`, `balance CALLPATH`, `speedup CALLPATH=2`,
/// `remove CALLPATH`, `limit CALLPATH=2s`, `threads balanced`, `joined threads balanced`, `locks free`, `cpu
/// ratio NODE=0.8`. Throws `holos::Error` that says what is wrong, and how it is written.
Condition parseCondition(std::string_view text);

}  // namespace holos::analyzer::predict
