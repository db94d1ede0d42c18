// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The member of `Experiment::files` that says who sent what to whom in the whole run, as the analysis of a
/// trace found it: the text of `communicationText`. Processes are numbers in the order of the system tree.
inline constexpr const char* kCommunicationFile = "holos.communication";

/// What one process sent to another in messages of two.
struct Traffic {
    ProcessId sender, receiver;
    double messages = 0.0;
    double bytes = 0.0;
    double lateSender = 0.0;    ///< seconds that the receiver waited for the sender
    double lateReceiver = 0.0;  ///< seconds that the sender waited for the receiver

    friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// A line each, of numbers between tabulators in the order of the members, below a heading of their names.
std::string communicationText(const std::vector<Traffic>& traffic);

/// Each pair of processes once, by sender and receiver. Nothing where the experiment has none. Lines that are
/// none, and processes that are not in the experiment, are passed over.
std::vector<Traffic> communicationOf(const Experiment& experiment);

/// Adds what belongs to the same pair, and puts pairs in order.
std::vector<Traffic> summedByPair(std::vector<Traffic> traffic);

}  // namespace holos::algebra
