// SPDX-License-Identifier: BSD-3-Clause
// Messages that come late, in the wrong order, or need a process that computes; and parts that one does
// alone.
#include "tests/study/planted_fault.h"

namespace holos::testing::study {

namespace {

void workOfAll(SimulatedProgram& program, const char* function, double time) {
    for (unsigned rank = 0; rank < program.processes(); ++rank) program.work({rank}, function, time);
}

/// What the first and the second of each pair do.
using OfPair = std::function<void(SimulatedProgram&, const Step&, unsigned first, unsigned second)>;

PlantedFault pairs(const char* function, const char* says, Truth truth, OfPair ofPair,
                   unsigned processes = 4) {
    return {function,
            says,
            {.processes = processes},
            std::move(truth),
            [ofPair = std::move(ofPair)](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 0; rank < program.processes(); rank += 2)
                    ofPair(program, step, rank, rank + 1);
            }};
}

/// The first one works longer, and the second one looks for its message.
PlantedFault lateSender(const char* function, const char* call,
                        std::function<void(SimulatedProgram&, unsigned at, unsigned from)> receive,
                        bool isPosted = false) {
    return pairs(function, call, {.kinds = {"imbalance"}, .who = {0, 2}, .wait = kMessages, .call = call},
                 [=](SimulatedProgram& program, const Step& step, unsigned first, unsigned second) {
                     if (isPosted) program.post(second);
                     program.work({first}, "assemble", kUsual * (step.isMended ? 1 : 2.5));
                     program.work({second}, "assemble", kUsual);
                     program.send(first, second);
                     receive(program, second, first);
                 });
}

PlantedFault lateReceiver(const char* function, const char* call) {
    return pairs(function, call, {.kinds = {"imbalance"}, .who = {1, 3}, .wait = kMessages, .call = call},
                 [=](SimulatedProgram& program, const Step& step, unsigned first, unsigned second) {
                     program.work({first}, "assemble", kUsual);
                     program.work({second}, "assemble", kUsual * (step.isMended ? 1 : 2.5));
                     program.meet(first, second, call);
                 });
}

PlantedFault wrongOrder(const char* function, const char* says, unsigned messages) {
    return pairs(function, says, {.kinds = {"wrong-order"}, .call = "MPI_Recv"},
                 [=](SimulatedProgram& program, const Step& step, unsigned first, unsigned second) {
                     program.work({second}, "prepare", kUsual);
                     for (unsigned tag = 0; tag < messages; ++tag) {
                         program.work({first}, "produce", kUsual);
                         program.send(first, second, tag);
                     }
                     program.work({first}, "prepare", kUsual);
                     for (unsigned i = 0; i < messages; ++i) {
                         program.receive(second, first, step.isMended ? i : messages - 1 - i);
                         program.work({second}, "consume", kUsual);
                     }
                 });
}

/// One process does as much as the others, but looks for the messages of all, one of whom is late.
PlantedFault probing(const char* function, const char* call, unsigned processes = 4, unsigned late = 3) {
    return {function,
            call,
            {.processes = processes},
            {.kinds = {"imbalance"}, .who = {late}},
            [=](SimulatedProgram& program, const Step& step) {
                std::vector<unsigned> others;
                for (unsigned rank = 0; rank < program.processes(); ++rank) {
                    program.work({rank}, "count", kUsual * (rank == late && !step.isMended ? 3 : 1));
                    if (rank == 0) continue;
                    program.send(rank, 0);
                    others.push_back(rank);
                }
                program.probe(0, others, call);
                program.collective(OTF2_COLLECTIVE_OP_BARRIER);
            }};
}

/// A message leaves the first one when the second one looks for others in the middle of its work.
PlantedFault lateProgress() {
    return pairs("overlap", "a send needs its receiver, which computes",
                 {.kinds = {"late-progress"},
                  .who = {1, 3},
                  .wait = "for the progress of communication",
                  .call = "MPI_Send"},
                 [](SimulatedProgram& program, const Step& step, unsigned first, unsigned second) {
                     constexpr double kLittle = 800;
                     program.work({first}, "prepare", kLittle);
                     if (step.isMended) program.send(first, second);
                     program.work({second}, "interior", kUsual);
                     if (!step.isMended) program.sendThatNeeds(first, second);
                     program.work({second}, "use", kLittle);
                     program.work({first}, "interior", kUsual);
                     program.receive(second, first);
                 });
}

/// Each waits for the one before, works, and lets the next one go on.
PlantedFault chain(const char* function, const char* says, unsigned processes, bool isBackward) {
    return {function,
            says,
            {.processes = processes},
            {.kinds = {"in-turn"}},
            [=](SimulatedProgram& program, const Step& step) {
                workOfAll(program, "prepare", 1000);
                for (unsigned at = 0; at < processes; ++at) {
                    const unsigned rank = isBackward ? processes - 1 - at : at;
                    const unsigned before = isBackward ? rank + 1 : rank - 1;
                    const unsigned next = isBackward ? rank - 1 : rank + 1;
                    if (at > 0 && !step.isMended) program.receive(rank, before);
                    program.work({rank}, "stage", kUsual);
                    if (at + 1 < processes && !step.isMended) program.send(rank, next);
                }
                program.collective(OTF2_COLLECTIVE_OP_BARRIER);
            }};
}

/// What only the first process does, while the others wait for its data.
PlantedFault serial(const char* function, const char* says, Truth truth,
                    std::function<void(SimulatedProgram&)> alone) {
    return {function,
            says,
            {},
            std::move(truth),
            [alone = std::move(alone)](SimulatedProgram& program, const Step& step) {
                if (!step.isMended) alone(program);
                program.collective(OTF2_COLLECTIVE_OP_BCAST);
                workOfAll(program, "apply", kUsual);
                program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
            }};
}

/// Of a ring of any length, all of whose messages one rank makes: it computes for each of the others.
PlantedFault dealing() {
    return {"deal",
            "the first rank makes the work of each of the others",
            {.processes = 6},
            {.kinds = {"imbalance", "serial"}, .who = {0}, .wait = kMessages, .call = "MPI_Recv"},
            [](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 1; rank < program.processes(); ++rank) {
                    if (!step.isMended) program.work({0}, "pack", kUsual / 4);
                    program.send(0, rank);
                }
                for (unsigned rank = 1; rank < program.processes(); ++rank) {
                    program.receive(rank, 0);
                    program.work({rank}, "use", kUsual);
                }
                program.work({0}, "use", kUsual);
            }};
}

/// One rank works on the results of all, while these wait for it.
PlantedFault collecting() {
    return {"gather_results",
            "the first rank works on the results of all",
            {.processes = 6},
            {.kinds = {"imbalance", "serial"},
             .who = {0},
             .wait = kCollective,
             .call = "MPI_Barrier",
             .place = "merge_results"},
            [](SimulatedProgram& program, const Step& step) {
                workOfAll(program, "count", kUsual);
                for (unsigned rank = 1; rank < program.processes(); ++rank) program.send(rank, 0);
                for (unsigned rank = 1; rank < program.processes(); ++rank) {
                    program.receive(0, rank);
                    if (!step.isMended) program.work({0}, "merge_results", kUsual / 4);
                }
                program.collective(OTF2_COLLECTIVE_OP_BARRIER);
            }};
}

/// A chain to the last rank, and back to the first.
PlantedFault thereAndBack() {
    return {"there_and_back",
            "five ranks in turn, and back again",
            {.processes = 5},
            {.kinds = {"in-turn"}},
            [](SimulatedProgram& program, const Step& step) {
                const unsigned last = program.processes() - 1;
                for (unsigned rank = 0; rank <= last; ++rank) {
                    if (rank > 0 && !step.isMended) program.receive(rank, rank - 1);
                    program.work({rank}, "down", kUsual / 2);
                    if (rank < last && !step.isMended) program.send(rank, rank + 1);
                }
                for (unsigned rank = last + 1; rank-- > 0;) {
                    if (rank < last && !step.isMended) program.receive(rank, rank + 1);
                    program.work({rank}, "up", kUsual / 2);
                    if (rank > 0 && !step.isMended) program.send(rank, rank - 1);
                }
                program.collective(OTF2_COLLECTIVE_OP_BARRIER);
            }};
}

/// The first of each pair computes while the second one wants to be rid of a message.
PlantedFault lateProgressOfFirst(unsigned processes) {
    std::vector<unsigned> who;
    for (unsigned rank = 0; rank < processes; rank += 2) who.push_back(rank);
    return pairs(
        "overlap_first", "a send needs the first of each pair, which computes",
        {.kinds = {"late-progress"},
         .who = std::move(who),
         .wait = "for the progress of communication",
         .call = "MPI_Send"},
        [](SimulatedProgram& program, const Step& step, unsigned first, unsigned second) {
            constexpr double kLittle = 600;
            program.work({second}, "prepare", kLittle);
            if (step.isMended) program.send(second, first);
            program.work({first}, "interior", 1.5 * kUsual);
            if (!step.isMended) program.sendThatNeeds(second, first);
            program.work({first}, "use", kLittle);
            program.work({second}, "interior", 1.5 * kUsual);
            program.receive(first, second);
        },
        processes);
}

/// The second one sleeps before it takes the message.
PlantedFault sleepingReceiver() {
    return pairs("hand_over_asleep", "MPI_Ssend, to a rank that sleeps",
                 {.kinds = {"imbalance", "serial"},
                  .who = {1, 3},
                  .wait = kMessages,
                  .call = "MPI_Ssend",
                  .areAsleep = true,
                  .place = "nanosleep"},
                 [](SimulatedProgram& program, const Step& step, unsigned first, unsigned second) {
                     program.work({first}, "assemble", kUsual);
                     program.work({second}, "assemble", kUsual);
                     if (!step.isMended) program.sleep({second}, kUsual);
                     program.meet(first, second, "MPI_Ssend");
                 });
}

/// The first ones work longer in the last third of the run.
PlantedFault lateSenderInPhase() {
    PlantedFault fault =
        pairs("halo_late", "MPI_Recv, in the last third of the run",
              {.kinds = {"imbalance"}, .who = {0, 2}, .wait = kMessages, .call = "MPI_Recv"},
              [](SimulatedProgram& program, const Step& step, unsigned first, unsigned second) {
                  const bool isLate = !step.isMended && step.progress() >= 0.7;
                  program.work({first}, "assemble", kUsual * (isLate ? 3 : 1));
                  program.work({second}, "assemble", kUsual);
                  program.send(first, second);
                  program.receive(second, first);
              });
    fault.truth.phase = {0.5, 1};
    return fault;
}

PlantedFault with(PlantedFault fault, unsigned processes, std::vector<unsigned> who) {
    fault.machine.processes = processes;
    fault.truth.who = std::move(who);
    return fault;
}

PlantedFault called(PlantedFault fault, const char* function, const char* says) {
    fault.function = function;
    fault.says = says;
    return fault;
}

}  // namespace

std::vector<PlantedFault> heldOutMessages() {
    const auto wrong = wrongOrder("three_swapped", "three messages, the last one first", 3);
    return {
        dealing(),
        collecting(),
        thereAndBack(),
        chain("short_chain", "three ranks, each after the one before", 3, false),
        chain("twelve_chain", "twelve ranks, the last one first", 12, true),
        lateProgressOfFirst(4),
        called(lateProgressOfFirst(8), "overlap_eight", "a send needs the first of four pairs"),
        called(with(lateProgress(), 6, {1, 3, 5}), "overlap_six", "a send needs the second of three pairs"),
        probing("probe_six", "MPI_Probe", 6, 5),
        probing("match_five", "MPI_Mprobe", 5, 2),
        with(wrong, 6, {}),
        sleepingReceiver(),
        lateSenderInPhase(),
        with(lateSender(
                 "halo_posted", "MPI_Waitall",
                 [](SimulatedProgram& program, unsigned at, unsigned from) {
                     program.completePosted(at, from, "MPI_Waitall");
                 },
                 true),
             8, {0, 2, 4, 6}),
        with(lateReceiver("hand_over_eight", "MPI_Ssend"), 8, {1, 3, 5, 7})};
}

std::vector<PlantedFault> lateMessages() {
    const auto receive = [](SimulatedProgram& program, unsigned at, unsigned from) {
        program.receive(at, from);
    };
    return {lateSender("pass", "MPI_Recv", receive),
            lateSender(
                "pass_later", "MPI_Wait",
                [](SimulatedProgram& program, unsigned at, unsigned from) {
                    program.completePosted(at, from, "MPI_Wait");
                },
                true),
            lateSender("look_for", "MPI_Probe",
                       [](SimulatedProgram& program, unsigned at, unsigned from) {
                           program.probe(at, {from}, "MPI_Probe");
                       }),
            probing("look_for_all", "MPI_Probe"),
            probing("match_all", "MPI_Mprobe"),
            lateReceiver("hand_over", "MPI_Ssend"),
            lateReceiver("hand_over_large", "MPI_Send"),
            wrongOrder("swapped", "two messages, the second one first", 2),
            wrongOrder("reversed", "four messages, the last one first", 4),
            lateProgress(),
            chain("pipeline", "four ranks, each after the one before", 4, false),
            chain("long_pipeline", "eight ranks, each after the one before", 8, false),
            chain("back_substitution", "four ranks, the last one first", 4, true)};
}

std::vector<PlantedFault> serialParts() {
    const Truth alone{.kinds = {"serial", "imbalance"}, .who = {0}, .wait = kCollective, .call = "MPI_Bcast"};
    const auto at = [alone](const char* place, bool isAsleep) {
        Truth truth = alone;
        truth.place = place;
        truth.areAsleep = isAsleep;
        return truth;
    };
    return {serial("prepare_alone", "the first rank computes", at("build_table", false),
                   [](SimulatedProgram& program) { program.work({0}, "build_table", kUsual); }),
            serial("read_alone", "the first rank waits for a disk", at("fsync", true),
                   [](SimulatedProgram& program) { program.sleep({0}, kUsual, "fsync"); }),
            serial("pause_alone", "the first rank sleeps", at("nanosleep", true),
                   [](SimulatedProgram& program) { program.sleep({0}, kUsual); })};
}

}  // namespace holos::testing::study
