// SPDX-License-Identifier: BSD-3-Clause
// A study of predictions: programs are run, predicted under a condition, and run again with the change that
// the condition stands for, by other chance. How often is that run within the range that is stated?
// docs/prediction.md has the table. `HOLOS_STUDY_SAYS=FILE` keeps each prediction.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/predictor.h"
#include "tests/study/simulated_program.h"
#include "tests/unit/predict/predicted.h"

namespace holos::testing::study::predictions {
namespace {

constexpr double kUsual = 5000;  // microseconds
constexpr const char* kRegion = "!$omp parallel @x.c:1";

/// A step of a program, as it is and as it is with the change.
using Step = std::function<void(SimulatedProgram&, unsigned number, bool isChanged)>;

struct Change {
    std::string condition;
    std::string says;  ///< what the program does
    std::vector<Machine> machines;
    Step step;
    std::function<void(Machine&)> machine = nullptr;  ///< what changes is where it runs
};

/// By rank and number of the step, in multiples of the usual work.
using Load = std::function<double(unsigned rank, unsigned ranks, unsigned number)>;

double risingLoad(unsigned rank, unsigned ranks, unsigned) {
    return 1 + 1.5 * rank / (ranks - 1);
}
double movingLoad(unsigned rank, unsigned ranks, unsigned number) {
    return number % ranks == rank ? 3 : 1;
}
double oneLoad(unsigned rank, unsigned, unsigned) {
    return rank == 1 ? 2.5 : 1;
}

double meanLoad(const Load& load, unsigned ranks, unsigned number) {
    double all = 0;
    for (unsigned rank = 0; rank < ranks; ++rank) all += load(rank, ranks, number);
    return all / ranks;
}

using Meet = std::function<void(SimulatedProgram&)>;

Meet together(OTF2_CollectiveOp operation) {
    return [=](SimulatedProgram& program) { program.collective(operation); };
}

Meet neighbours(Ring way, std::uint64_t bytes = 8) {
    return [=](SimulatedProgram& program) { program.ring(way, bytes); };
}

void nonblocking(SimulatedProgram& program) {
    program.begin("MPI_Iallreduce");
    for (unsigned rank = 0; rank < program.processes(); ++rank) program.work({rank}, "meanwhile", 500);
    program.complete(OTF2_COLLECTIVE_OP_ALLREDUCE);
}

const std::vector<Machine> kSmallAndLarge{{.processes = 4}, {.processes = 6}, {.processes = 16, .nodes = 2}};

/// All do uneven work, and meet.
Change balanced(const char* says, Load load, Meet meet) {
    return {"balance changed", says, kSmallAndLarge,
            [load = std::move(load), meet = std::move(meet)](SimulatedProgram& program, unsigned number,
                                                             bool isChanged) {
                const unsigned ranks = program.processes();
                for (unsigned rank = 0; rank < ranks; ++rank)
                    program.work(
                        {rank}, "relax",
                        kUsual * (isChanged ? meanLoad(load, ranks, number) : load(rank, ranks, number)));
                meet(program);
            }};
}

/// The work of some becomes other work.
Change faster(const char* condition, const char* says, double factor, Load load, Meet meet) {
    return {condition, says, kSmallAndLarge, [=](SimulatedProgram& program, unsigned number, bool isChanged) {
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "relax",
                                 kUsual * load(rank, program.processes(), number) / (isChanged ? factor : 1));
                meet(program);
            }};
}

Change slowerRank() {
    return {"cpu ratio MPI Rank 1=0.5", "a rank computes at half of its speed", kSmallAndLarge,
            [](SimulatedProgram& program, unsigned number, bool) {
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "relax", kUsual * risingLoad(rank, program.processes(), number));
                program.ring(Ring::Waitall);
            },
            [](Machine& machine) { machine.slowRank = 1; }};
}

Change alone(const char* condition, double factor) {
    return {condition, "the first rank works, and the others wait for it", kSmallAndLarge,
            [=](SimulatedProgram& program, unsigned, bool isChanged) {
                if (factor > 0 || !isChanged)
                    program.work({0}, "build_table", kUsual / (isChanged ? factor : 1));
                program.collective(OTF2_COLLECTIVE_OP_BCAST);
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "apply", kUsual);
            }};
}

Change chain() {
    return {"speedup stage=2",
            "each rank waits for the one before",
            {{.processes = 3}, {.processes = 8}},
            [](SimulatedProgram& program, unsigned, bool isChanged) {
                for (unsigned rank = 0; rank < program.processes(); ++rank) {
                    if (rank > 0) program.receive(rank, rank - 1);
                    program.work({rank}, "stage", kUsual / (isChanged ? 2 : 1));
                    if (rank + 1 < program.processes()) program.send(rank, rank + 1);
                }
            }};
}

/// The first and the second of each pair.
Change pairs(const char* condition, const char* says,
             std::function<void(SimulatedProgram&, bool, unsigned, unsigned)> ofPair) {
    return {condition,
            says,
            {{.processes = 4}, {.processes = 10}},
            [ofPair = std::move(ofPair)](SimulatedProgram& program, unsigned, bool isChanged) {
                for (unsigned rank = 0; rank < program.processes(); rank += 2)
                    ofPair(program, isChanged, rank, rank + 1);
            }};
}

std::vector<Change> changesOfMessages() {
    return {pairs("speedup interior=2", "a send needs its receiver, which computes",
                  [](SimulatedProgram& program, bool isChanged, unsigned first, unsigned second) {
                      program.work({first}, "prepare", 800);
                      program.work({second}, "interior", kUsual / (isChanged ? 2 : 1));
                      program.sendThatNeeds(first, second);
                      program.work({second}, "use", 800);
                      program.receive(second, first);
                  }),
            pairs("speedup produce=2", "two messages, the second one first",
                  [](SimulatedProgram& program, bool isChanged, unsigned first, unsigned second) {
                      for (unsigned tag = 0; tag < 2; ++tag) {
                          program.work({first}, "produce", kUsual / (isChanged ? 2 : 1));
                          program.send(first, second, tag);
                      }
                      for (unsigned tag = 2; tag-- > 0;) {
                          program.receive(second, first, tag);
                          program.work({second}, "consume", kUsual / 2);
                      }
                  }),
            pairs("speedup assemble=3", "MPI_Ssend to a rank that comes late",
                  [](SimulatedProgram& program, bool isChanged, unsigned first, unsigned second) {
                      program.work({first}, "prepare", kUsual);
                      program.work({second}, "assemble", 3 * kUsual / (isChanged ? 3 : 1));
                      program.meet(first, second, "MPI_Ssend");
                  }),
            pairs("eager=1M", "sends of 100 kB that wait for their receiver",
                  [](SimulatedProgram& program, bool isChanged, unsigned first, unsigned second) {
                      program.work({second}, "assemble", kUsual);
                      if (isChanged) {
                          program.send(first, second, 0, 100'000);
                          program.receive(second, first);
                      } else {
                          program.meet(first, second, "MPI_Send");
                      }
                      program.work({first}, "relax", kUsual);
                  })};
}

Change throughNetwork(const char* condition, const char* says, Meet meet,
                      std::function<void(Machine&)> machine) {
    return {condition, says, kSmallAndLarge,
            [meet = std::move(meet)](SimulatedProgram& program, unsigned number, bool) {
                for (unsigned rank = 0; rank < program.processes(); ++rank)
                    program.work({rank}, "relax", kUsual * risingLoad(rank, program.processes(), number));
                meet(program);
            },
            std::move(machine)};
}

std::vector<Change> changesOfNetwork() {
    const auto many = [](auto once) {
        return [=](SimulatedProgram& program) {
            for (unsigned i = 0; i < 60; ++i) once(program);
        };
    };
    const auto ideal = [](Machine& machine) {
        machine.latency = 0;
        machine.bytesInMicrosecond = 1e9;
    };
    const auto quick = [](Machine& machine) { machine.latency = 2; };
    const auto slow = [](Machine& machine) { machine.latency = 40; };
    const auto wide = [](Machine& machine) { machine.bytesInMicrosecond = 4000; };
    const auto narrow = [](Machine& machine) { machine.bytesInMicrosecond = 250; };
    constexpr std::uint64_t kLarge = 2'000'000;
    return {
        throughNetwork("network=ideal", "2 MB to the neighbour", neighbours(Ring::Sendrecv, kLarge), ideal),
        throughNetwork("network=ideal", "many small messages", many(neighbours(Ring::Waitall)), ideal),
        throughNetwork("network=ideal", "many reductions", many(together(OTF2_COLLECTIVE_OP_ALLREDUCE)),
                       ideal),
        throughNetwork("latency=2us", "many small messages", many(neighbours(Ring::SendAndReceive)), quick),
        throughNetwork("latency=40us", "many small messages", many(neighbours(Ring::Sendrecv)), slow),
        throughNetwork("latency=2us", "many barriers", many(together(OTF2_COLLECTIVE_OP_BARRIER)), quick),
        throughNetwork("bandwidth=4G", "2 MB to the neighbour", neighbours(Ring::Sendrecv, kLarge), wide),
        throughNetwork("bandwidth=250M", "2 MB to the neighbour", neighbours(Ring::Waitall, kLarge), narrow)};
}

Change ofThreads(const char* condition, const char* says, std::vector<Machine> machines,
                 std::function<void(SimulatedProgram&, unsigned rank, unsigned number, bool)> region) {
    return {condition, says, std::move(machines),
            [region = std::move(region)](SimulatedProgram& program, unsigned number, bool isChanged) {
                for (unsigned rank = 0; rank < program.processes(); ++rank) {
                    program.fork(rank, kRegion);
                    region(program, rank, number, isChanged);
                    program.join(rank);
                }
                if (program.processes() > 1) program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
            }};
}

std::vector<Change> changesOfThreads() {
    const std::vector<Machine> machines{
        {.processes = 1, .threads = 4}, {.processes = 1, .threads = 8}, {.processes = 2, .threads = 4}};
    const std::vector<Machine> one{{.processes = 1, .threads = 4}, {.processes = 1, .threads = 8}};
    const auto uneven = [](const Load& load) {
        return [=](SimulatedProgram& program, unsigned rank, unsigned number, bool isChanged) {
            const unsigned threads = program.threads();
            for (unsigned thread = 0; thread < threads; ++thread)
                program.work(
                    {rank, thread}, "sweep",
                    kUsual * (isChanged ? meanLoad(load, threads, number) : load(thread, threads, number)));
        };
    };
    const auto locked = [](bool ofPthreads) {
        return [=](SimulatedProgram& program, unsigned rank, unsigned, bool isChanged) {
            for (unsigned thread = 0; thread < program.threads(); ++thread)
                program.work({rank, thread}, "sweep", kUsual);
            if (!isChanged) program.locked(rank, kUsual / 4, ofPthreads);
            for (unsigned thread = 0; isChanged && thread < program.threads(); ++thread)
                program.work({rank, thread}, "update_shared", kUsual / 4);
        };
    };
    const auto large = [](SimulatedProgram& program, unsigned rank, unsigned, bool isChanged) {
        program.createTasks({rank}, program.threads() + 1);
        for (unsigned thread = program.threads(); thread-- > 0;) {
            program.arrive({rank, thread});
            program.task({rank, thread}, "small", kUsual / 2);
            if (thread == 1) program.task({rank, thread}, "large", 2 * kUsual / (isChanged ? 2 : 1));
        }
    };
    const auto twice = [](SimulatedProgram& program, unsigned rank, unsigned, bool isChanged) {
        for (unsigned thread = 0; thread < program.threads(); ++thread)
            program.work({rank, thread}, "sweep", (thread == 1 ? 3 : 1) * kUsual / (isChanged ? 2 : 1));
    };
    return {ofThreads("threads balanced", "each thread has more than the one before", machines,
                      uneven(risingLoad)),
            ofThreads("threads balanced", "another thread has more each time", machines, uneven(movingLoad)),
            ofThreads("locks free", "a critical section", one, locked(false)),
            ofThreads("locks free", "a mutex", one, locked(true)),
            ofThreads("speedup large=2", "a large task", one, large),
            ofThreads("speedup sweep=2", "one thread has more", machines, twice)};
}

std::vector<Change> allChanges() {
    std::vector<Change> changes{
        balanced("MPI_Allreduce", risingLoad, together(OTF2_COLLECTIVE_OP_ALLREDUCE)),
        balanced("MPI_Barrier, another rank each time", movingLoad, together(OTF2_COLLECTIVE_OP_BARRIER)),
        balanced("MPI_Bcast", oneLoad, together(OTF2_COLLECTIVE_OP_BCAST)),
        balanced("MPI_Reduce", risingLoad, together(OTF2_COLLECTIVE_OP_REDUCE)),
        balanced("MPI_Gather", oneLoad, together(OTF2_COLLECTIVE_OP_GATHER)),
        balanced("MPI_Scan", risingLoad, together(OTF2_COLLECTIVE_OP_SCAN)),
        balanced("MPI_Iallreduce", movingLoad, nonblocking),
        balanced("MPI_Sendrecv with the neighbours", risingLoad, neighbours(Ring::Sendrecv)),
        balanced("MPI_Waitall with the neighbours", movingLoad, neighbours(Ring::Waitall)),
        balanced("MPI_Win_fence", oneLoad, [](SimulatedProgram& program) { program.fence(); }),
        faster("speedup relax=2", "MPI_Alltoall", 2, risingLoad, together(OTF2_COLLECTIVE_OP_ALLTOALL)),
        faster("speedup relax=0.5", "MPI_Recv from the neighbour", 0.5, oneLoad,
               neighbours(Ring::SendAndReceive)),
        slowerRank(),
        alone("speedup build_table=4", 4),
        alone("remove build_table", 0),
        chain()};
    for (auto more : {changesOfMessages, changesOfNetwork, changesOfThreads})
        for (Change& change : more()) changes.push_back(std::move(change));
    return changes;
}

SimulatedProgram simulate(const Change& change, Machine machine, bool isChanged, std::uint64_t seed) {
    constexpr unsigned kSteps = 20;
    if (isChanged && change.machine) change.machine(machine);
    SimulatedProgram program(machine, seed);
    program.initialize(500);
    for (unsigned number = 0; number < kSteps; ++number) {
        program.enter("changed");
        change.step(program, number, isChanged);
        program.leave();
        program.enter("update");
        program.equalStep();
        program.leave();
    }
    program.finish();
    return program;
}

struct Count {
    unsigned runs = 0;
    unsigned within = 0;
    double error = 0;  ///< the largest
    double width = 0;  ///< of the range to each side, of the prediction; the sum

    void add(double is, const analyzer::PredictedTime& range) {
        ++runs;
        within += range.least <= is && is <= range.most ? 1 : 0;
        error = std::max(error, std::fabs(range.seconds / is - 1));
        width += (range.most - range.least) / 2 / range.seconds;
    }
    void add(const Count& other) {
        runs += other.runs;
        within += other.within;
        error = std::max(error, other.error);
        width += other.width;
    }
    std::string row() const {
        return fmt::format(" {} of {} | {:.1f} % | ± {:.1f} % |", within, runs, 100 * error,
                           100 * width / runs);
    }
};

struct Study {
    std::string table, said;
    Count quiet, busy;
};

Study study() {
    Study study;
    study.table =
        "| condition | program | quiet: in the range | largest error | range | busy: in the range | largest "
        "error | range |\n|---|---|---|---|---|---|---|---|\n";
    for (const Change& change : allChanges()) {
        study.table += "| `" + change.condition + "` | " + change.says + " |";
        for (const bool isBusy : {false, true}) {
            Count count;
            std::uint64_t seed = 1;
            for (Machine machine : change.machines) {
                machine.isBusy = isBusy;
                ++seed;
                const Predicted recorded(simulate(change, machine, false, seed).trace());
                const std::vector<analyzer::predict::Condition> conditions{
                    analyzer::predict::parseCondition(change.condition)};
                const analyzer::PredictedTime range = predictedTime(recorded.predictor(), conditions);
                const double is = simulate(change, machine, true, seed + 100).seconds();
                count.add(is, range);
                study.said +=
                    fmt::format("{} {}, {} of {}, {}: {:.4f}, predicted {:.4f} from {:.4f} to {:.4f}{}\n",
                                change.condition, change.says, machine.processes, machine.threads,
                                isBusy ? "busy" : "quiet", is, range.seconds, range.least, range.most,
                                is < range.least || is > range.most ? " OUTSIDE" : "");
            }
            study.table += count.row();
            (isBusy ? study.busy : study.quiet).add(count);
        }
        study.table += '\n';
    }
    study.table += "| **all** | |" + study.quiet.row() + study.busy.row() + '\n';
    return study;
}

TEST(PredictionStudy, changedPrograms_areWithinTheRange) {
    constexpr double kWithin = 0.95;
    const Study result = study();
    if (const char* file = std::getenv("HOLOS_STUDY_SAYS"))
        std::ofstream(file, std::ios::app) << result.table << result.said;
    for (const Count& count : {result.quiet, result.busy})
        EXPECT_GE(count.within, kWithin * count.runs) << result.said;
    std::ifstream page(HOLOS_SOURCE "/docs/prediction.md");
    std::stringstream text;
    text << page.rdbuf();
    EXPECT_NE(text.str().find(result.table), std::string::npos)
        << "docs/prediction.md has another table than this one:\n"
        << result.table;
}

}  // namespace
}  // namespace holos::testing::study::predictions
