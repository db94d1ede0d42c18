// SPDX-License-Identifier: BSD-3-Clause
// Faults that look like others: who is late only through others, at another time, in another way, or not at
// all.
#include <cmath>

#include "tests/study/planted_fault.h"

namespace holos::testing::study {

namespace {

constexpr const char* kAllreduce = "MPI_Allreduce";

void allWork(SimulatedProgram& program, double time = kUsual) {
    for (unsigned rank = 0; rank < program.processes(); ++rank) program.work({rank}, "relax", time);
}

void allMeet(SimulatedProgram& program) {
    program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
}

/// What the first rank makes goes from each rank to the next one, which adds nothing to it.
PlantedFault relay() {
    return {"hand_on",
            "the first rank computes, and others only hand it on",
            {.processes = 5},
            {.kinds = {"imbalance", "serial"},
             .who = {0},
             .wait = kMessages,
             .call = "MPI_Recv",
             .place = "make"},
            [](SimulatedProgram& program, const Step& step) {
                if (!step.isMended) program.work({0}, "make", kUsual);
                program.send(0, 1);
                for (unsigned rank = 1; rank < program.processes(); ++rank) {
                    program.receive(rank, rank - 1);
                    if (rank + 1 < program.processes()) program.send(rank, rank + 1);
                }
                allWork(program);
                allMeet(program);
            }};
}

/// Each of the others asks the first rank, which decides for one after the other.
PlantedFault master() {
    return {"ask_master",
            "one rank decides for each of the others",
            {.processes = 6},
            {.kinds = {"imbalance", "serial"}, .who = {0}, .wait = kMessages, .call = "MPI_Recv"},
            [](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 1; rank < program.processes(); ++rank) {
                    program.work({rank}, "relax", kUsual);
                    program.send(rank, 0);
                }
                program.work({0}, "relax", kUsual);
                for (unsigned rank = 1; rank < program.processes(); ++rank) {
                    program.receive(0, rank);
                    if (!step.isMended) program.work({0}, "decide", kUsual / 4);
                    program.send(0, rank, 1);
                }
                for (unsigned rank = 1; rank < program.processes(); ++rank) program.receive(rank, 0, 1);
            }};
}

/// What one does more in the first part it does less in the second one, and nobody waits in between.
PlantedFault compensated() {
    return {"two_parts",
            "uneven parts that make up for each other (no fault)",
            {},
            {},
            [](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 0; rank < program.processes(); ++rank) {
                    const double more = step.isMended ? 0 : 0.2 * rank;
                    program.work({rank}, "first", kUsual * (1 + more));
                    program.work({rank}, "second", kUsual * (2 - more));
                }
                allMeet(program);
            }};
}

/// They are late in two functions, one rank in each.
PlantedFault twoParts() {
    return {"apart",
            "the first rank before one barrier, the last one before the next",
            {},
            {.kinds = {"imbalance"}, .who = {0, 3}, .wait = kCollective, .call = "MPI_Barrier"},
            [](SimulatedProgram& program, const Step& step) {
                for (const unsigned late : {0U, 3U}) {
                    for (unsigned rank = 0; rank < program.processes(); ++rank)
                        program.work({rank}, "relax", kUsual * (rank == late && !step.isMended ? 2 : 1));
                    program.collective(OTF2_COLLECTIVE_OP_BARRIER);
                }
            }};
}

PlantedFault load(const char* function, const char* says, unsigned processes, std::vector<unsigned> who,
                  std::function<double(unsigned rank, const Step&)> of,
                  std::vector<std::string> kinds = {"imbalance"}) {
    return {function,
            says,
            {.processes = processes},
            {.kinds = std::move(kinds), .who = std::move(who), .wait = kCollective, .call = kAllreduce},
            [of = std::move(of)](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "relax", kUsual * (step.isMended ? 1 : of(rank, step)));
                allMeet(program);
            }};
}

PlantedFault hiccup() {
    PlantedFault fault = load(
        "once", "one rank, once in the run", 4, {2},
        [](unsigned rank, const Step& step) { return rank == 2 && step.number == step.count / 2 ? 20 : 1; });
    fault.truth.phase = {0.25, 0.75};
    return fault;
}

/// Waves of growing and shrinking work.
PlantedFault wave() {
    return load("wave", "one rank, more and less by turns", 4, {1}, [](unsigned rank, const Step& step) {
        constexpr double kWaves = 25;
        return rank == 1 ? 2 + std::sin(kWaves * step.progress()) : 1;
    });
}

/// The others have nothing to do there.
PlantedFault half() {
    return load("lower_half", "only half of the ranks have work", 8, {0, 1, 2, 3},
                [](unsigned rank, const Step&) { return rank < 4 ? 2 : 0; }, {"imbalance", "serial"});
}

/// The threads of one process are idle while its first thread works, and all other processes wait.
PlantedFault betweenOfOne() {
    return {"assemble_alone",
            "only the first thread of one process works",
            {.processes = 2, .threads = 4},
            {.kinds = {"serial", "imbalance"}, .who = {1}, .isCostKnown = false},
            [](SimulatedProgram& program, const Step& step) {
                if (!step.isMended) program.work({1}, "assemble", kUsual);
                for (unsigned rank = 0; rank < program.processes(); ++rank) {
                    program.fork(rank, "!$omp parallel @sweep.c:12");
                    for (unsigned thread = 0; thread < program.threads(); ++thread)
                        program.work({rank, thread}, "sweep", kUsual);
                    program.join(rank);
                }
                allMeet(program);
            }};
}

/// One rank sleeps in each step, in every second one longer.
PlantedFault nap(const char* function, unsigned rank, unsigned longer) {
    return {function,
            "one rank sleeps in each step",
            {},
            {.kinds = {"imbalance", "serial"},
             .who = {rank},
             .wait = kCollective,
             .call = kAllreduce,
             .areAsleep = true},
            [=](SimulatedProgram& program, const Step& step) {
                if (!step.isMended) program.sleep({rank}, (step.number % 2 == longer ? 2.5 : 1) * kUsual);
            }};
}

}  // namespace

std::vector<PlantedFault> napsAtATime() {
    return {nap("nap_even", 0, 0), nap("nap_odd", 1, 1)};
}

std::vector<PlantedFault> doubtfulFaults() {
    PlantedFault slowStart =
        load("slow_start", "one rank, only in the first two steps", 4, {3},
             [](unsigned rank, const Step& step) { return rank == 3 && step.number < 2 ? 12 : 1; });
    slowStart.truth.phase = {0, 0.4};
    return {relay(), master(), compensated(),  twoParts(), hiccup(),
            wave(),  half(),   betweenOfOne(), slowStart};
}

}  // namespace holos::testing::study
