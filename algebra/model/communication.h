// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The member of `Experiment::files` that says who sent what to whom in the whole run, as the analysis of a
/// trace found it: the text of `communicationText`. Processes are numbers in the order of the system tree.
inline constexpr const char* kCommunicationFile = "holos.communication";

/// What went from one process to another in messages of two and in one-sided operations.
struct Traffic {
    ProcessId sender, receiver;
    double messages = 0.0;
    double bytes = 0.0;
    double lateSender = 0.0;    ///< seconds that the receiver waited for the sender
    double lateReceiver = 0.0;  ///< seconds that the sender waited for the receiver
    double put = 0.0;           ///< bytes that the sender put into windows of the receiver
    double got = 0.0;           ///< bytes that the receiver got from windows of the sender

    friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// The numbers of a pair in the order of tables, with the names that tables head them with.
struct TrafficNumber {
    const char* name;
    double Traffic::*number;
};
inline constexpr std::array<TrafficNumber, 6> kTrafficNumbers{{{"messages", &Traffic::messages},
                                                               {"bytes", &Traffic::bytes},
                                                               {"late_sender", &Traffic::lateSender},
                                                               {"late_receiver", &Traffic::lateReceiver},
                                                               {"bytes_put", &Traffic::put},
                                                               {"bytes_got", &Traffic::got}}};

/// A line each, of numbers between tabulators, below a heading of their names.
std::string communicationText(const std::vector<Traffic>& traffic);

/// Each pair of processes once, by sender and receiver. Nothing where the experiment has none. Lines that are
/// none, and processes that are not in the experiment, are passed over. Older files have no one-sided
/// operations.
std::vector<Traffic> communicationOf(const Experiment& experiment);

/// Adds what belongs to the same pair, and puts pairs in order.
std::vector<Traffic> summedByPair(std::vector<Traffic> traffic);

}  // namespace holos::algebra
