// SPDX-License-Identifier: BSD-3-Clause
// Threads that have more to do, want the same lock, wait for tasks, or have nothing to do.
#include "tests/study/planted_fault.h"

#include <algorithm>

namespace holos::testing::study {

namespace {

constexpr const char* kRegion = "!$omp parallel @x.c:1";
constexpr const char* kBarriers = "at OpenMP barriers";
constexpr Machine kFourThreads{.processes = 1, .threads = 4};

using Load = std::function<double(unsigned thread, const Step&)>;

PlantedFault uneven(const char* function, const char* says, unsigned threads, Truth truth, Load load) {
    truth.wait = kBarriers;
    return {function,
            says,
            {.processes = 1, .threads = threads},
            std::move(truth),
            [load = std::move(load)](SimulatedProgram& program, const Step& step) {
                program.fork(0, kRegion);
                for (unsigned thread = 0; thread < program.threads(); ++thread)
                    program.work({0, thread}, "sweep", kUsual * (step.isMended ? 1 : load(thread, step)));
                program.join(0);
            }};
}

PlantedFault explicitBarrier() {
    return {"two_sweeps",
            "one thread, at a barrier in the region",
            kFourThreads,
            {.kinds = {"imbalance"}, .who = {2}, .wait = kBarriers, .place = "sweep"},
            [](SimulatedProgram& program, const Step& step) {
                program.fork(0, kRegion);
                for (unsigned thread = 0; thread < program.threads(); ++thread)
                    program.work({0, thread}, "sweep", kUsual * (thread == 2 && !step.isMended ? 2 : 1));
                program.barrier(0);
                for (unsigned thread = 0; thread < program.threads(); ++thread)
                    program.work({0, thread}, "second_sweep", kUsual);
                program.join(0);
            }};
}

PlantedFault lateSleeper() {
    return {"wait_for_disk",
            "one thread sleeps",
            kFourThreads,
            {.kinds = {"imbalance", "serial"},
             .who = {1},
             .wait = kBarriers,
             .areAsleep = true,
             .place = "nanosleep"},
            [](SimulatedProgram& program, const Step& step) {
                program.fork(0, kRegion);
                for (unsigned thread = 0; thread < program.threads(); ++thread) {
                    program.work({0, thread}, "sweep", kUsual);
                    if (thread == 1 && !step.isMended) program.sleep({0, thread}, 2 * kUsual);
                }
                program.join(0);
            }};
}

/// All want the same lock once.
PlantedFault lock(const char* function, const char* says, bool ofPthreads, double section,
                  Machine machine = kFourThreads) {
    return {function, says, machine, {.kinds = {"lock"}}, [=](SimulatedProgram& program, const Step& step) {
                program.fork(0, kRegion);
                for (unsigned thread = 0; thread < program.threads(); ++thread)
                    program.work({0, thread}, "sweep", kUsual);
                if (!step.isMended) program.locked(0, section, ofPthreads);
                if (step.isMended)
                    for (unsigned thread = 0; thread < program.threads(); ++thread)
                        program.work({0, thread}, "update_shared", section);
                program.join(0);
            }};
}

/// The first thread has small tasks, another one a large one.
PlantedFault largeTask(bool atTaskwait, const Machine& machine = kFourThreads) {
    return {atTaskwait ? "taskwait" : "tasks",
            atTaskwait ? "a large task, at taskwait" : "a large task",
            machine,
            {.kinds = {"large-task"}},
            [=](SimulatedProgram& program, const Step& step) {
                program.fork(0, kRegion);
                const auto run = [&](unsigned thread) {
                    for (unsigned i = 0; i < 3; ++i) program.task({0, thread}, "small", kUsual / 4);
                    if (thread == 2 && !step.isMended) program.task({0, thread}, "large", 2 * kUsual);
                };
                program.createTasks({0}, 3 * program.threads() + 1);
                for (unsigned thread = 1; thread < program.threads(); ++thread) {
                    program.arrive({0, thread});
                    run(thread);
                }
                if (atTaskwait)
                    program.enterTaskwait({0});
                else
                    program.arrive({0});
                run(0);
                if (atTaskwait) {
                    Tick last = 0;
                    for (unsigned thread = 1; thread < program.threads(); ++thread)
                        last = std::max(last, program.now({0, thread}));
                    program.leaveTaskwait({0}, last);
                    program.work({0}, "collect", kUsual / 10);
                }
                program.join(0);
            }};
}

/// The first thread of each process does something between parallel regions, for so long. Work can be shared
/// out.
PlantedFault onlyFirst(const char* function, const char* says, Machine machine, Truth truth, double work,
                       std::function<void(SimulatedProgram&)> alone) {
    return {function, says, machine, std::move(truth),
            [work, alone = std::move(alone)](SimulatedProgram& program, const Step& step) {
                if (!step.isMended) alone(program);
                const double shared = step.isMended ? work / program.threads() : 0;
                for (unsigned rank = 0; rank < program.processes(); ++rank) {
                    program.fork(rank, kRegion);
                    for (unsigned thread = 0; thread < program.threads(); ++thread)
                        program.work({rank, thread}, "sweep", kUsual + shared);
                    program.join(rank);
                }
                if (program.processes() > 1) program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
            }};
}

void prepare(SimulatedProgram& program) {
    for (unsigned rank = 0; rank < program.processes(); ++rank)
        program.work({rank}, "build_table", kUsual / 2);
}

/// One process of several has more in its parallel regions, and the others wait in MPI.
PlantedFault lateProcess() {
    return {"regions",
            "one process, in its parallel regions",
            {.processes = 2, .threads = 2},
            {.kinds = {"imbalance"}, .who = {1}, .wait = "in collective operations", .call = "MPI_Allreduce"},
            [](SimulatedProgram& program, const Step& step) {
                for (unsigned rank = 0; rank < program.processes(); ++rank) {
                    program.fork(rank, kRegion);
                    for (unsigned thread = 0; thread < program.threads(); ++thread)
                        program.work({rank, thread}, "sweep", kUsual * (rank == 1 && !step.isMended ? 2 : 1));
                    program.join(rank);
                }
                program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
            }};
}

PlantedFault shortRegions(const char* function = "short_loops",
                          const char* says = "very short parallel regions",
                          const Machine& machine = kFourThreads) {
    return {function,
            says,
            machine,
            {.kinds = {"small-regions"}},
            [](SimulatedProgram& program, const Step& step) {
                constexpr unsigned kRegions = 50;
                constexpr double kShort = 40, kCost = 25;
                const unsigned regions = step.isMended ? 1 : kRegions;
                for (unsigned i = 0; i < regions; ++i) {
                    program.fork(0, kRegion);
                    for (unsigned thread = 0; thread < program.threads(); ++thread)
                        program.work({0, thread}, "sweep", kShort * kRegions / regions);
                    program.join(0, kCost);
                }
            }};
}

/// A thread of each process has more to do.
PlantedFault lateInEach() {
    return {
        "sweep_each",
        "one thread of each process",
        {.processes = 2, .threads = 4},
        {.kinds = {"imbalance"}, .who = {0, 1}, .wait = kBarriers},
        [](SimulatedProgram& program, const Step& step) {
            for (unsigned rank = 0; rank < program.processes(); ++rank) {
                program.fork(rank, kRegion);
                for (unsigned thread = 0; thread < program.threads(); ++thread)
                    program.work({rank, thread}, "sweep", kUsual * (thread == 3 && !step.isMended ? 2 : 1));
                program.join(rank);
            }
            program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
        }};
}

PlantedFault lateProcessOfFour() {
    PlantedFault fault = lateProcess();
    fault.function = "regions_of_four";
    fault.says = "one process of four, in its parallel regions";
    fault.machine.processes = 4;
    return fault;
}

}  // namespace

std::vector<PlantedFault> heldOutThreads() {
    constexpr Machine kEightThreads{.processes = 1, .threads = 8}, kSixThreads{.processes = 1, .threads = 6};
    PlantedFault tasks = largeTask(false, kSixThreads);
    tasks.function = "tasks_of_six";
    tasks.says = "a large task, six threads";
    PlantedFault phase = uneven(
        "first_third", "one thread, in the first third of the run", 4, {.kinds = {"imbalance"}, .who = {2}},
        [](unsigned thread, const Step& step) { return thread == 2 && step.progress() < 0.25 ? 3 : 1; });
    phase.truth.phase = {0, 0.5};
    return {
        uneven("sweep_three", "the first of three threads", 3, {.kinds = {"imbalance"}, .who = {0}},
               [](unsigned thread, const Step&) { return thread == 0 ? 2 : 1; }),
        uneven("sweep_six", "two threads of six", 6, {.kinds = {"imbalance"}, .who = {1, 4}},
               [](unsigned thread, const Step&) { return thread == 1 || thread == 4 ? 2 : 1; }),
        uneven("odd_threads", "every second thread", 8, {.kinds = {"imbalance"}, .who = {1, 3, 5, 7}},
               [](unsigned thread, const Step&) { return thread % 2 == 1 ? 1.8 : 1; }),
        uneven("swelling_eight", "one thread of eight, more and more", 8,
               {.kinds = {"growing-imbalance"}, .who = {5}},
               [](unsigned thread, const Step& step) { return thread == 5 ? 1 + 3 * step.progress() : 1; }),
        uneven("changing_six", "another thread of six in each region", 6, {.kinds = {"imbalance"}},
               [](unsigned thread, const Step& step) { return step.number % 6 == thread ? 3 : 1; }),
        std::move(phase),
        lock("critical_eight", "a critical section, eight threads", false, kUsual * 0.3, kEightThreads),
        lock("mutex_two", "a mutex, two threads", true, kUsual * 0.9, {.processes = 1, .threads = 2}),
        std::move(tasks),
        onlyFirst("between_eight", "only the first of eight threads works", kEightThreads,
                  {.kinds = {"serial"}}, kUsual / 4,
                  [](SimulatedProgram& program) { program.work({0}, "build_table", kUsual / 4); }),
        shortRegions("short_loops_eight", "very short parallel regions, eight threads", kEightThreads),
        lateProcessOfFour(),
        lateInEach()};
}

std::vector<PlantedFault> unevenThreads() {
    constexpr unsigned kEight = 8;
    return {
        uneven("sweep_all", "one thread", 4, {.kinds = {"imbalance"}, .who = {1}},
               [](unsigned thread, const Step&) { return thread == 1 ? 2.5 : 1; }),
        uneven("upper_threads", "half of the threads", kEight, {.kinds = {"imbalance"}, .who = {4, 5, 6, 7}},
               [](unsigned thread, const Step&) { return thread >= 4 ? 2 : 1; }),
        uneven("triangle", "each thread more than the one before", kEight,
               {.kinds = {"imbalance"}, .who = {7}},
               [](unsigned thread, const Step&) { return 1 + 1.5 * thread / (kEight - 1); }),
        uneven("swelling", "one thread, more and more", 4, {.kinds = {"growing-imbalance"}, .who = {3}},
               [](unsigned thread, const Step& step) { return thread == 3 ? 1 + 3 * step.progress() : 1; }),
        uneven("changing", "another thread in each region", 4, {.kinds = {"imbalance"}},
               [](unsigned thread, const Step& step) { return step.number % 4 == thread ? 3 : 1; }),
        explicitBarrier(),
        lateSleeper(),
        lateProcess(),
        lock("critical", "a critical section", false, kUsual * 0.8),
        lock("mutex", "a mutex", true, kUsual * 0.6),
        largeTask(false),
        largeTask(true),
        onlyFirst("between", "only the first thread works", kFourThreads, {.kinds = {"serial"}}, kUsual / 2,
                  prepare),
        onlyFirst("between_all", "only the first thread of each process works",
                  {.processes = 2, .threads = 4}, {.kinds = {"serial"}}, kUsual / 2, prepare),
        onlyFirst("communicate", "threads are idle while the first one communicates",
                  {.processes = 2, .threads = 4},
                  {.kinds = {"serial", "communication"}, .isCostKnown = false}, 0,
                  [](SimulatedProgram& program) { program.ring(Ring::Sendrecv, 3'000'000); }),
        shortRegions()};
}

}  // namespace holos::testing::study
