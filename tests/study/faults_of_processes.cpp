// SPDX-License-Identifier: BSD-3-Clause
// Processes that have more to do than others, and all ways in which the others wait for them.
#include "tests/study/planted_fault.h"

namespace holos::testing::study {

namespace {

/// Of a rank in a step, in multiples of the usual.
using Load = std::function<double(unsigned rank, const Step&)>;
using Meet = std::function<void(SimulatedProgram&)>;

/// All compute, and meet.
PlantedFault uneven(const char* function, const char* says, Machine machine, Truth truth, Load load,
                    Meet meet) {
    return {function, says, machine, std::move(truth),
            [load = std::move(load), meet = std::move(meet)](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "relax", kUsual * (step.isMended ? 1 : load(rank, step)));
                meet(program);
            }};
}

void reduceAll(SimulatedProgram& program) {
    program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
}

Load oneOf(unsigned late, double more) {
    return [=](unsigned rank, const Step&) { return rank == late ? more : 1; };
}

Load linear(unsigned ranks, double steep, bool falls) {
    return [=](unsigned rank, const Step&) {
        return 1 + steep * static_cast<double>(falls ? ranks - 1 - rank : rank) / (ranks - 1);
    };
}

/// Which of the shapes that work can have is a matter of `load` alone.
PlantedFault shape(const char* function, const char* says, unsigned processes, std::vector<unsigned> who,
                   Load load, const char* kind = "imbalance") {
    return uneven(function, says, {.processes = processes},
                  {.kinds = {kind}, .who = std::move(who), .wait = kCollective, .call = "MPI_Allreduce"},
                  std::move(load), reduceAll);
}

PlantedFault inPhase() {
    PlantedFault fault =
        shape("first_part", "one rank, in the first fifth of the run", 4, {1},
              [](unsigned rank, const Step& step) { return rank == 1 && step.progress() < 0.2 ? 3 : 1; });
    fault.truth.phase = {0, 0.4};
    return fault;
}

/// One rank has more to do in a part of the run.
PlantedFault inPart(const char* function, const char* says, double begin, double end,
                    std::pair<double, double> phase) {
    PlantedFault fault = shape(function, says, 6, {2}, [=](unsigned rank, const Step& step) {
        return rank == 2 && step.progress() >= begin && step.progress() < end ? 4 : 1;
    });
    fault.truth.phase = phase;
    return fault;
}

/// All have something else to do in each step, none more on the whole, and all together as much as usual.
double drawn(unsigned rank, const Step& step) {
    constexpr unsigned kPrime = 7919, kOther = 104729, kParts = 1000;
    return 0.25 + 1.5 * static_cast<double>((rank * kPrime + step.number * kOther) % kParts) / kParts;
}

/// One rank sleeps, or reads a file, before all meet.
PlantedFault pausing(const char* function, const char* says, Truth truth,
                     std::function<void(SimulatedProgram&)> pause) {
    return {function,
            says,
            {.processes = 6},
            std::move(truth),
            [pause = std::move(pause)](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "relax", kUsual);
                if (!step.isMended) pause(program);
                reduceAll(program);
            }};
}

PlantedFault onNode() {
    PlantedFault fault = shape("on_one_node", "the ranks of one node, in one function", 8, {4, 5, 6, 7},
                               [](unsigned rank, const Step&) { return rank >= 4 ? 2 : 1; });
    fault.machine.nodes = 2;
    return fault;
}

/// One rank is late, and the others wait in this way; where it is empty, most of them wait elsewhere, for
/// those who wait for it.
PlantedFault lateTo(const char* function, const char* call, const char* wait, unsigned late, Meet meet) {
    static constexpr double kMore = 2.2;
    return uneven(function, call, {},
                  {.kinds = {"imbalance"}, .who = {late}, .wait = wait, .call = *wait == '\0' ? "" : call},
                  oneOf(late, kMore), std::move(meet));
}

Meet together(OTF2_CollectiveOp operation) {
    return [=](SimulatedProgram& program) { program.collective(operation); };
}

Meet communicators(const char* function, OTF2_CollectiveOp operation = OTF2_COLLECTIVE_OP_CREATE_HANDLE) {
    return [=](SimulatedProgram& program) { program.communicators(function, operation); };
}

Meet nonblocking(const char* function, OTF2_CollectiveOp operation) {
    return [=](SimulatedProgram& program) {
        program.begin(function);
        for (unsigned rank = 0; rank < program.processes(); ++rank) program.work({rank}, "meanwhile", 500);
        program.complete(operation);
    };
}

Meet neighbours(Ring way) {
    return [=](SimulatedProgram& program) { program.ring(way); };
}

/// What is read before MPI starts.
PlantedFault lateStart() {
    return {"read_input",
            "MPI_Init",
            {},
            {.kinds = {"imbalance", "serial"},
             .who = {2},
             .wait = "at the start of MPI",
             .call = "MPI_Init",
             .place = "parse",
             .isOutside = true,
             .phase = std::pair{0.0, 0.1}},
            [](SimulatedProgram&, const Step&) {},
            [](SimulatedProgram& program, bool isMended) {
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "parse", rank == 2 && !isMended ? 60'000 : 5'000);
            }};
}

}  // namespace

std::vector<PlantedFault> unevenProcesses() {
    constexpr unsigned kEight = 8;
    return {shape("solve", "one rank", 4, {2}, oneOf(2, 3)),
            shape("first_rank", "the first rank, a little", 4, {0}, oneOf(0, 1.4)),
            shape("upper_half", "half of the ranks", kEight, {4, 5, 6, 7},
                  [](unsigned rank, const Step&) { return rank >= 4 ? 2 : 1; }),
            shape("odd_ranks", "every second rank", kEight, {1, 3, 5, 7},
                  [](unsigned rank, const Step&) { return rank % 2 == 1 ? 1.8 : 1; }),
            shape("rising", "each rank more than the one before", kEight, {7}, linear(kEight, 1.5, false)),
            shape("falling", "each rank less than the one before", kEight, {0}, linear(kEight, 1.5, true)),
            shape("every_fifth", "one rank, in every fifth step", 4, {1},
                  [](unsigned rank, const Step& step) { return rank == 1 && step.number % 5 == 0 ? 7 : 1; }),
            shape(
                "growing", "one rank, more and more", 4, {3},
                [](unsigned rank, const Step& step) { return rank == 3 ? 1 + 3 * step.progress() : 1; },
                "growing-imbalance"),
            shape(
                "growing_slope", "all but the first rank, more and more", kEight, {7},
                [](unsigned rank, const Step& step) { return 1 + 3 * step.progress() * rank / (kEight - 1); },
                "growing-imbalance"),
            shape("moving", "another rank in each step", 4, {},
                  [](unsigned rank, const Step& step) { return step.number % 4 == rank ? 4 : 1; }),
            inPhase(),
            onNode()};
}

std::vector<PlantedFault> lateMeetings() {
    return {lateTo("norm", "MPI_Allreduce", kCollective, 1, together(OTF2_COLLECTIVE_OP_ALLREDUCE)),
            lateTo("exchange_all", "MPI_Alltoall", kCollective, 2, together(OTF2_COLLECTIVE_OP_ALLTOALL)),
            lateTo("collect_all", "MPI_Allgather", kCollective, 3, together(OTF2_COLLECTIVE_OP_ALLGATHER)),
            lateTo("meet", "MPI_Barrier", kCollective, 3, together(OTF2_COLLECTIVE_OP_BARRIER)),
            lateTo("publish", "MPI_Bcast", kCollective, 0, together(OTF2_COLLECTIVE_OP_BCAST)),
            lateTo("distribute", "MPI_Scatter", kCollective, 0, together(OTF2_COLLECTIVE_OP_SCATTER)),
            lateTo("sum", "MPI_Reduce", "", 2, together(OTF2_COLLECTIVE_OP_REDUCE)),
            lateTo("collect", "MPI_Gather", "", 1, together(OTF2_COLLECTIVE_OP_GATHER)),
            lateTo("prefix", "MPI_Scan", kCollective, 0, together(OTF2_COLLECTIVE_OP_SCAN)),
            lateTo("meet_later", "MPI_Wait", kCollective, 1,
                   nonblocking("MPI_Ibarrier", OTF2_COLLECTIVE_OP_BARRIER)),
            lateTo("norm_later", "MPI_Wait", kCollective, 2,
                   nonblocking("MPI_Iallreduce", OTF2_COLLECTIVE_OP_ALLREDUCE)),
            lateTo("divide", "MPI_Comm_split", kCollective, 1, communicators("MPI_Comm_split")),
            lateTo("copy", "MPI_Comm_dup", kCollective, 2, communicators("MPI_Comm_dup")),
            lateTo("make_grid", "MPI_Cart_create", kCollective, 3, communicators("MPI_Cart_create")),
            lateTo("release", "MPI_Comm_free", kCollective, 0,
                   communicators("MPI_Comm_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE)),
            lateTo("open_window", "MPI_Win_fence", "in one-sided communication", 2,
                   [](SimulatedProgram& program) { program.fence(); }),
            lateTo("save", "MPI_File_write_all", "for files", 1,
                   [](SimulatedProgram& program) { program.writeTogether(); }),
            lateTo("halo", "MPI_Recv", "", 2, neighbours(Ring::SendAndReceive)),
            lateTo("halo_both", "MPI_Sendrecv", "", 1, neighbours(Ring::Sendrecv)),
            lateTo("halo_all", "MPI_Waitall", "", 3, neighbours(Ring::Waitall)),
            lateTo("halo_again", "MPI_Startall", "", 0, neighbours(Ring::Persistent)),
            lateStart()};
}

std::vector<PlantedFault> heldOutProcesses() {
    constexpr unsigned kSix = 6, kEight = 8, kTwelve = 12;
    const auto onNodes = [](PlantedFault fault, unsigned nodes) {
        fault.machine.nodes = nodes;
        return fault;
    };
    const auto elsewhere = [](const char* function, const char* says, unsigned processes,
                              std::vector<unsigned> who, const char* wait, const char* call, Load load,
                              Meet meet, const char* kind = "imbalance") {
        return uneven(function, says, {.processes = processes},
                      {.kinds = {kind}, .who = std::move(who), .wait = wait, .call = call}, std::move(load),
                      std::move(meet));
    };
    return {
        shape("assemble_six", "two ranks of six", kSix, {1, 4},
              [](unsigned rank, const Step&) { return rank == 1 || rank == 4 ? 2 : 1; }),
        onNodes(shape("remesh", "each of twelve ranks more than the one before", kTwelve, {11},
                      linear(kTwelve, 2, false)),
                3),
        elsewhere(
            "every_third", "the first rank, in every third step", kSix, {0}, kCollective, "MPI_Barrier",
            [](unsigned rank, const Step& step) { return rank == 0 && step.number % 3 == 0 ? 4 : 1; },
            together(OTF2_COLLECTIVE_OP_BARRIER)),
        inPart("last_part", "one rank, in the last fifth of the run", 0.8, 1.1, {0.55, 1}),
        inPart("middle_part", "one rank, in the middle of the run", 0.4, 0.6, {0.25, 0.75}),
        shape("two_in_turn", "one of two ranks in each step", kEight, {0, 1},
              [](unsigned rank, const Step& step) { return rank == step.number % 2 ? 4 : 1; }),
        shape(
            "creeping", "one rank, slowly more and more", kSix, {4},
            [](unsigned rank, const Step& step) { return rank == 4 ? 1.3 + 2 * step.progress() : 1; },
            "growing-imbalance"),
        elsewhere(
            "growing_halo", "one rank, more and more, MPI_Waitall", 4, {2}, "", "",
            [](unsigned rank, const Step& step) { return rank == 2 ? 1 + 4 * step.progress() : 1; },
            neighbours(Ring::Waitall), "growing-imbalance"),
        shape("shrinking", "one rank, less and less", 4, {1},
              [](unsigned rank, const Step& step) { return rank == 1 ? 4 - 2.5 * step.progress() : 1; }),
        shape("irregular", "all by chance", kEight, {}, drawn),
        elsewhere("sum_root", "MPI_Reduce, whose root is late", kSix, {0}, "", "", oneOf(0, 2),
                  together(OTF2_COLLECTIVE_OP_REDUCE)),
        shape("all_but_one", "all ranks but one", kSix, {0, 1, 2, 4, 5},
              [](unsigned rank, const Step&) { return rank == 3 ? 1 : 2; }),
        onNodes(shape("one_of_sixteen", "one rank of sixteen", 16, {9}, oneOf(9, 2.5)), 4),
        onNodes(shape("third_node", "the ranks of one node of three", kTwelve, {8, 9, 10, 11},
                      [](unsigned rank, const Step&) { return rank >= 8 ? 1.8 : 1; }),
                3),
        elsewhere(
            "halo_wide", "two ranks of six, MPI_Sendrecv", kSix, {1, 4}, "", "",
            [](unsigned rank, const Step&) { return rank % 3 == 1 ? 2.2 : 1; }, neighbours(Ring::Sendrecv)),
        elsewhere("scatter_two", "MPI_Scatter, of two ranks", 2, {0}, kCollective, "MPI_Scatter", oneOf(0, 2),
                  together(OTF2_COLLECTIVE_OP_SCATTER)),
        elsewhere(
            "split_odd", "MPI_Comm_split, every second rank", kSix, {0, 2, 4}, kCollective, "MPI_Comm_split",
            [](unsigned rank, const Step&) { return rank % 2 == 0 ? 2 : 1; },
            communicators("MPI_Comm_split")),
        elsewhere("later_six", "MPI_Wait of an MPI_Iallreduce, six ranks", kSix, {5}, kCollective, "MPI_Wait",
                  oneOf(5, 2), nonblocking("MPI_Iallreduce", OTF2_COLLECTIVE_OP_ALLREDUCE)),
        pausing("nap", "one rank sleeps before all meet",
                {.kinds = {"imbalance", "serial"},
                 .who = {3},
                 .wait = kCollective,
                 .call = "MPI_Allreduce",
                 .areAsleep = true,
                 .place = "nanosleep"},
                [](SimulatedProgram& program) { program.sleep({3}, 2 * kUsual); }),
        pausing("read_mesh", "one rank reads a file before all meet",
                {.kinds = {"imbalance", "serial", "files"},
                 .who = {0},
                 .wait = kCollective,
                 .call = "MPI_Allreduce",
                 .place = "fread",
                 .isCostKnown = false},
                [](SimulatedProgram& program) { program.readAlone({0}, "fread", 2 * kUsual); })};
}

}  // namespace holos::testing::study
