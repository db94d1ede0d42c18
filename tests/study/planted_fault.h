// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/study/simulated_program.h"

namespace holos::testing::study {

/// One of the equal steps of a program.
struct Step {
    unsigned number;
    unsigned count;
    bool isMended;  ///< the program is told as it would be without the fault
    double progress() const { return static_cast<double>(number) / (count - 1); }
};

/// What is true of a fault, so that nothing else may be said of it.
struct Truth {
    std::vector<std::string> kinds = {};  ///< of problems that name it, see docs/summary.md; empty: none may
    std::vector<unsigned> who = {};  ///< ranks, or threads in a run of one process; empty: not some of them
    std::string wait = {};           ///< the way in which others wait; empty: no others do
    std::string call = {};           ///< in which they wait most
    bool areAsleep = false;          ///< those who are late do not compute
    std::string place = {};          ///< a function in which it is told to be, where not the fault's
    bool isOutside = false;          ///< of the function: before the steps begin
    bool isCostKnown = true;         ///< not where it is told in several parts
    /// The part of the run in which it is.
    std::optional<std::pair<double, double>> phase = {};
};

struct PlantedFault {
    std::string function;  ///< in which it is; names it
    std::string says;      ///< what is wrong, in a few words
    Machine machine;
    Truth truth;
    std::function<void(SimulatedProgram&, const Step&)> step;
    /// Before MPI starts.
    std::function<void(SimulatedProgram&, bool isMended)> before = nullptr;
    double start = 500;  ///< microseconds that MPI takes to start
};

/// Programs with none, one or two faults. The list is the study.
struct Scene {
    std::string says;
    Machine machine;
    std::vector<PlantedFault> faults;
    unsigned steps = 30;
    bool areLast = false;  ///< in each step, after what all do alike
};
std::vector<Scene> scenes();
/// Others, which no rule was made or tuned with when they were first judged.
std::vector<Scene> heldOutScenes();

/// Written later, by somebody who doubts every sentence: faults that look like others.
std::vector<Scene> doubtfulScenes();

/// Ways to wait.
inline constexpr const char* kMessages = "for messages";
inline constexpr const char* kCollective = "in collective operations";

/// Microseconds that a process or thread has to do in a step.
inline constexpr double kUsual = 5000;

// By kind, as the study has them.
std::vector<PlantedFault> unevenProcesses();
std::vector<PlantedFault> lateMeetings();
std::vector<PlantedFault> lateMessages();
std::vector<PlantedFault> serialParts();
std::vector<PlantedFault> unevenThreads();
std::vector<PlantedFault> expensiveCalls();

// Of the held-out scenes.
std::vector<PlantedFault> heldOutProcesses();
std::vector<PlantedFault> heldOutMessages();
std::vector<PlantedFault> heldOutThreads();
std::vector<PlantedFault> heldOutCosts();

// Of those that look like others.
std::vector<PlantedFault> doubtfulFaults();
std::vector<PlantedFault> napsAtATime();

}  // namespace holos::testing::study
