// SPDX-License-Identifier: BSD-3-Clause
// What takes time by itself, without anybody being late.
#include "tests/study/planted_fault.h"

namespace holos::testing::study {

namespace {

/// All compute, and then do something that takes long.
PlantedFault expensive(const char* function, const char* says, std::vector<std::string> kinds, double work,
                       std::function<void(SimulatedProgram&, const Step&)> calls, Machine machine = {}) {
    return {function,
            says,
            machine,
            {.kinds = std::move(kinds)},
            [=](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "relax", work);
                calls(program, step);
            }};
}

void smallMessages(SimulatedProgram& program, unsigned number, Ring way) {
    for (unsigned i = 0; i < number; ++i) program.ring(way, 64);
}

PlantedFault slowStart() {
    PlantedFault fault{"start",
                       "starting MPI takes long",
                       {},
                       {.kinds = {"startup"}, .place = "MPI_Init", .isOutside = true},
                       [](SimulatedProgram&, const Step&) {}};
    fault.start = 60'000;
    return fault;
}

}  // namespace

std::vector<PlantedFault> heldOutCosts() {
    const Machine eight{.processes = 8}, six{.processes = 6, .nodes = 2};
    return {expensive(
                "swap_values", "each value by itself, MPI_Sendrecv, eight ranks",
                {"small-messages", "late-communication"}, 2000,
                [](SimulatedProgram& program, const Step& step) {
                    smallMessages(program, step.isMended ? 1 : 150, Ring::Sendrecv);
                },
                eight),
            expensive(
                "ship_fields", "8 MB to the neighbour, six ranks", {"communication"}, kUsual,
                [](SimulatedProgram& program, const Step& step) {
                    program.ring(Ring::Waitall, step.isMended ? 8 : 8'000'000);
                },
                six),
            expensive(
                "many_barriers", "a barrier for each value", {"collectives", "late-communication"}, 2000,
                [](SimulatedProgram& program, const Step& step) {
                    for (unsigned i = 0; i < (step.isMended ? 1U : 250U); ++i)
                        program.collective(OTF2_COLLECTIVE_OP_BARRIER);
                },
                six),
            expensive(
                "read_files", "all read, eight ranks", {"files"}, kUsual,
                [](SimulatedProgram& program, const Step& step) {
                    for (unsigned rank = 0; !step.isMended && rank < program.processes(); ++rank)
                        program.useFile({rank}, "fread", kUsual / 2);
                },
                eight)};
}

std::vector<PlantedFault> expensiveCalls() {
    const auto each = [](SimulatedProgram& program, auto call) {
        for (unsigned rank = 0; rank < program.processes(); ++rank) call(Who{rank});
    };
    return {expensive("send_values", "each value by itself", {"small-messages", "late-communication"}, 1500,
                      [](SimulatedProgram& program, const Step& step) {
                          smallMessages(program, step.isMended ? 1 : 200, Ring::SendAndReceive);
                      }),
            expensive("exchange_values", "each value by itself, without blocking",
                      {"small-messages", "late-communication"}, 1500,
                      [](SimulatedProgram& program, const Step& step) {
                          smallMessages(program, step.isMended ? 1 : 300, Ring::Waitall);
                      }),
            expensive("exchange_fields", "4 MB to the neighbour", {"communication"}, kUsual,
                      [](SimulatedProgram& program, const Step& step) {
                          program.ring(Ring::Sendrecv, step.isMended ? 8 : 4'000'000);
                      }),
            expensive("norms", "a reduction of each value", {"collectives", "late-communication"}, 1500,
                      [](SimulatedProgram& program, const Step& step) {
                          for (unsigned i = 0; i < (step.isMended ? 1U : 300U); ++i)
                              program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
                      }),
            expensive("write_files", "all write", {"files"}, kUsual,
                      [=](SimulatedProgram& program, const Step& step) {
                          if (step.isMended) return;
                          each(program, [&](Who who) { program.useFile(who, "fwrite", kUsual); });
                      }),
            expensive("look_again", "MPI_Iprobe again and again", {"polling"}, kUsual,
                      [=](SimulatedProgram& program, const Step& step) {
                          // All messages are there already.
                          each(program, [&](Who who) { program.send(who.rank, who.rank ^ 1U); });
                          each(program, [&](Who who) {
                              if (step.isMended) return;
                              for (unsigned i = 0; i < 50; ++i) program.call(who, "MPI_Iprobe", 60);
                          });
                          each(program, [&](Who who) { program.receive(who.rank, who.rank ^ 1U); });
                      }),
            slowStart()};
}

}  // namespace holos::testing::study
