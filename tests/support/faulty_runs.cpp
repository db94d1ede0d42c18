// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/faulty_runs.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/support/chance.h"

namespace holos::testing {

namespace {

/// A microsecond each.
constexpr std::uint64_t kTicksPerSecond = 1'000'000;
/// A message or a collective operation takes so long when nobody waits.
constexpr Tick kLatency = 10;

constexpr auto* kParallel = "!$omp parallel @x.c:1";
constexpr auto* kBarrier = "!$omp implicit barrier @x.c:9";
constexpr auto* kCritical = "!$omp critical @x.c:3";

/// Processes with clocks of their own that meet in communication.
class Program {
  public:
    Program(unsigned processes, unsigned threads = 1)
        : trace(std::make_unique<TraceBuilder>(processes, threads)), now(processes, 0) {
        trace->clock(kTicksPerSecond, 0);
        for (unsigned rank = 0; rank < processes; ++rank) on(rank).enter(0, "main");
    }

    unsigned size() const { return static_cast<unsigned>(now.size()); }
    LocationScript& on(unsigned rank) { return trace->on(rank); }
    Tick latest() const { return *std::max_element(now.begin(), now.end()); }

    void compute(unsigned rank, Tick time, const char* function) {
        on(rank).call(now[rank], now[rank] + time, function);
        now[rank] += time;
    }

    void collective(OTF2_CollectiveOp operation) {
        const Tick end = latest() + kLatency;
        for (unsigned rank = 0; rank < size(); ++rank) {
            on(rank).collective(now[rank], end, operation, {});
            now[rank] = end;
        }
    }

    /// Everybody sends to the right, and then receives from the left.
    void ring() {
        std::vector<Tick> sent = now;
        for (unsigned rank = 0; rank < size(); ++rank) {
            on(rank).send(now[rank], now[rank] + kLatency, {.peer = (rank + 1) % size()});
            now[rank] += kLatency;
        }
        for (unsigned rank = 0; rank < size(); ++rank) {
            const unsigned left = (rank + size() - 1) % size();
            const Tick end = std::max(now[rank], sent[left]) + kLatency;
            on(rank).recv(now[rank], end, {.peer = left});
            now[rank] = end;
        }
    }

    void finish() {
        const Tick end = latest();
        for (unsigned rank = 0; rank < size(); ++rank) on(rank).leave(end);
    }

    /// A parallel region in which each thread works, and then waits at the barrier for the last one.
    void team(unsigned rank, const std::vector<Tick>& work) {
        const Tick begin = now[rank], end = begin + *std::max_element(work.begin(), work.end()) + 2;
        const auto threads = static_cast<unsigned>(work.size());
        on(rank).fork(begin, threads);
        for (unsigned thread = 0; thread < threads; ++thread)
            trace->on(rank, thread)
                .teamBegin(begin)
                .enter(begin, kParallel)
                .call(begin, begin + work[thread], "sweep")
                .call(begin + work[thread], end, kBarrier)
                .leave(end)
                .teamEnd(end);
        on(rank).join(end);
        now[rank] = end;
    }

    std::unique_ptr<TraceBuilder> trace;
    std::vector<Tick> now;  ///< by rank
};

/// How a step ends.
void synchronize(Program& program, unsigned way) {
    switch (way % 4) {
        case 0:
            return program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
        case 1:
            return program.collective(OTF2_COLLECTIVE_OP_BARRIER);
        case 2:
            program.ring();
            return program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
        default:
            return program.ring();
    }
}

/// What a rank or thread has to do in a step, in multiples of the usual.
using Load = std::function<double(unsigned who, double progress)>;

/// Processes that compute and meet.
FaultyRun unevenProcesses(Chance& chance, unsigned variant, unsigned processes, unsigned nodes,
                          const std::vector<const char*>& functions, const Load& load) {
    Program program(processes);
    program.trace->nodes(nodes);
    const unsigned steps = chance.upTo(20, 40);
    const double usual = chance.upTo(2'000, 10'000);
    for (unsigned step = 0; step < steps; ++step) {
        const double progress = static_cast<double>(step) / (steps - 1);
        for (const char* function : functions)
            for (unsigned rank = 0; rank < processes; ++rank)
                program.compute(rank, chance.around(usual * load(rank, progress)), function);
        synchronize(program, variant);
    }
    program.finish();
    return {std::move(program.trace), {}};
}

/// Threads of one process in parallel regions.
FaultyRun unevenThreads(Chance& chance, unsigned threads, const Load& load) {
    Program program(1, threads);
    const unsigned steps = chance.upTo(20, 40);
    const double usual = chance.upTo(2'000, 10'000);
    for (unsigned step = 0; step < steps; ++step) {
        std::vector<Tick> work;
        const double progress = static_cast<double>(step) / (steps - 1);
        for (unsigned thread = 0; thread < threads; ++thread)
            work.push_back(chance.around(usual * load(thread, progress)));
        program.team(0, work);
    }
    program.finish();
    return {std::move(program.trace), {}};
}

FaultyRun uneven(Chance& chance, unsigned variant, unsigned number, const Load& load) {
    constexpr unsigned kWays = 5;
    return variant % kWays == kWays - 1 ? unevenThreads(chance, number, load)
                                        : unevenProcesses(chance, variant, number, 1, {"solve"}, load);
}

FaultyRun lateOne(Chance& chance, unsigned variant) {
    const unsigned number = chance.upTo(3, 16), late = chance.upTo(0, number - 1);
    const double more = chance.between(1.3, 3);
    FaultyRun run =
        uneven(chance, variant, number, [=](unsigned who, double) { return who == late ? more : 1.0; });
    run.guilty = {late};
    return run;
}

FaultyRun gradientRun(Chance& chance, unsigned variant) {
    const unsigned number = chance.upTo(4, 16);
    const double steep = chance.between(0.5, 2);
    const bool falls = chance.upTo(0, 1) == 1;
    FaultyRun run = uneven(chance, variant, number, [=](unsigned who, double) {
        const double place = static_cast<double>(falls ? number - 1 - who : who) / (number - 1);
        return 1 + steep * place;
    });
    run.guilty = {falls ? 0 : number - 1};
    return run;
}

FaultyRun growing(Chance& chance, unsigned variant) {
    const unsigned number = chance.upTo(4, 16), late = chance.upTo(0, number - 1);
    const double more = chance.between(0.8, 3);
    const bool isGradient = chance.upTo(0, 1) == 1;
    FaultyRun run = uneven(chance, variant, number, [=](unsigned who, double progress) {
        const double place = isGradient ? static_cast<double>(who) / (number - 1) : who == late ? 1.0 : 0.0;
        return 1 + more * progress * place;
    });
    run.guilty = {isGradient ? number - 1 : late};
    return run;
}

FaultyRun slowNodeRun(Chance& chance, unsigned variant) {
    const unsigned nodes = chance.upTo(2, 4), each = chance.upTo(2, 4), slow = chance.upTo(0, nodes - 1);
    const double longer = chance.between(1.2, 2);
    FaultyRun run = unevenProcesses(chance, variant, nodes * each, nodes, {"fluxes", "update", "boundary"},
                                    [=](unsigned who, double) { return who / each == slow ? longer : 1.0; });
    run.guilty.resize(each);
    std::iota(run.guilty.begin(), run.guilty.end(), slow * each);
    return run;
}

FaultyRun healthy(Chance& chance, unsigned variant) {
    return uneven(chance, variant, chance.upTo(2, 16), [](unsigned, double) { return 1.0; });
}

/// Pairs: the even ones send two messages with work in between, the odd ones want the second one first.
FaultyRun wrongOrder(Chance& chance, unsigned variant) {
    Program program(2 * chance.upTo(1, 6));
    const unsigned steps = chance.upTo(10, 20);
    const double usual = chance.upTo(2'000, 10'000);
    const bool worksAfterwards = variant % 2 == 1;
    for (unsigned step = 0; step < steps; ++step) {
        for (unsigned rank = 0; rank < program.size(); rank += 2) {
            const unsigned peer = rank + 1;
            program.compute(rank, chance.around(usual), "solve");
            program.on(rank).send(program.now[rank], program.now[rank] + kLatency, {.peer = peer, .tag = 1});
            program.now[rank] += kLatency;
            program.compute(rank, chance.around(usual), "solve");
            const Tick second = program.now[rank];
            program.on(rank).send(second, second + kLatency, {.peer = peer, .tag = 2});
            program.now[rank] = second + kLatency;

            program.compute(peer, chance.around(usual), "solve");
            const Tick got = std::max(program.now[peer], second) + kLatency;
            program.on(peer).recv(program.now[peer], got, {.peer = rank, .tag = 2});
            program.on(peer).recv(got, got + kLatency, {.peer = rank, .tag = 1});
            program.now[peer] = got + kLatency;
            if (worksAfterwards) program.compute(peer, chance.around(usual), "solve");
        }
        if (worksAfterwards || variant % 4 == 0) program.collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
    }
    program.finish();
    return {std::move(program.trace), {}};
}

/// A master between parallel regions, or a process while the others wait for its data.
FaultyRun serial(Chance& chance, unsigned variant) {
    const bool threads = variant % 2 == 0;
    const unsigned number = chance.upTo(2, 12);
    Program program(threads ? 1 : number, threads ? number : 1);
    const unsigned steps = chance.upTo(10, 20);
    const double usual = chance.upTo(2'000, 10'000), alone = usual * chance.between(0.3, 1.5);
    for (unsigned step = 0; step < steps; ++step) {
        program.compute(0, chance.around(alone), "prepare");
        if (threads) {
            std::vector<Tick> work;
            for (unsigned thread = 0; thread < number; ++thread) work.push_back(chance.around(usual));
            program.team(0, work);
        } else {
            const Tick begin = program.now[0];
            for (unsigned rank = 0; rank < number; ++rank) {
                const Tick end = begin + kLatency;
                program.on(rank).collective(program.now[rank], end, OTF2_COLLECTIVE_OP_BCAST, {.root = 0});
                program.now[rank] = end;
            }
            for (unsigned rank = 0; rank < number; ++rank)
                program.compute(rank, chance.around(usual), "solve");
            program.collective(OTF2_COLLECTIVE_OP_BARRIER);
        }
    }
    program.finish();
    return {std::move(program.trace), {0}};
}

/// Each thread works, and then for a while has a lock that all want.
FaultyRun lockRun(Chance& chance) {
    const unsigned threads = chance.upTo(3, 12), steps = chance.upTo(10, 20);
    Program program(1, threads);
    const double usual = chance.upTo(2'000, 10'000), section = usual * chance.between(0.4, 1);
    std::uint32_t order = 0;
    for (unsigned step = 0; step < steps; ++step) {
        const Tick begin = program.now[0];
        std::vector<Tick> ends(threads);
        program.on(0).fork(begin, threads);
        Tick free = begin;
        for (unsigned place = 0; place < threads; ++place) {
            const unsigned thread = (place + step) % threads;
            const Tick wants = begin + chance.around(usual) + place, has = std::max(wants, free);
            free = ends[thread] = has + chance.around(section);
            auto& script = program.trace->on(0, thread).teamBegin(begin).enter(begin, kParallel);
            script.call(begin, wants, "sweep").enter(wants, kCritical).acquire(has, 0, ++order);
            script.release(free, 0, order).leave(free);
        }
        for (unsigned thread = 0; thread < threads; ++thread)
            program.trace->on(0, thread)
                .call(ends[thread], free + 2, kBarrier)
                .leave(free + 2)
                .teamEnd(free + 2);
        program.now[0] = free + 2;
        program.on(0).join(free + 2);
    }
    program.finish();
    return {std::move(program.trace), {}};
}

/// Neighbours exchange very many values, each by itself.
FaultyRun smallMessages(Chance& chance) {
    Program program(2 * chance.upTo(1, 6));
    const unsigned steps = chance.upTo(5, 10), messages = chance.upTo(100, 200);
    const std::uint64_t bytes = 8ULL * chance.upTo(1, 64);
    const double usual = 2.0 * kLatency * messages * chance.between(1, 6);
    for (unsigned step = 0; step < steps; ++step) {
        const Tick time = chance.around(usual);
        for (unsigned rank = 0; rank < program.size(); ++rank) {
            program.compute(rank, time, "solve");
            const unsigned peer = rank ^ 1U;
            for (unsigned i = 0; i < messages; ++i) {
                Tick& now = program.now[rank];
                program.on(rank).send(now, now + kLatency, {.peer = peer, .bytes = bytes});
                program.on(rank).recv(now + kLatency, now + 2 * kLatency, {.peer = peer, .bytes = bytes});
                now += 2 * kLatency;
            }
        }
    }
    program.finish();
    return {std::move(program.trace), {}};
}

/// All have something to do first; then each waits for the one before, works and lets the next one go on.
/// Where the first one does so is sometimes a function of its own.
FaultyRun chain(Chance& chance, unsigned variant) {
    Program program(chance.upTo(3, 8));
    const unsigned steps = chance.upTo(8, 16);
    const double before = chance.upTo(500, 2'000), usual = chance.upTo(4'000, 10'000);
    for (unsigned step = 0; step < steps; ++step) {
        for (unsigned rank = 0; rank < program.size(); ++rank)
            program.compute(rank, chance.around(before), "prepare");
        for (unsigned rank = 0; rank < program.size(); ++rank) {
            Tick& now = program.now[rank];
            if (rank > 0) {
                const Tick end = std::max(now, program.now[rank - 1]) + kLatency;
                program.on(rank).recv(now, end, {.peer = rank - 1});
                now = end;
            }
            program.compute(rank, chance.around(usual), rank == 0 && variant % 2 == 1 ? "begin" : "stage");
            if (rank + 1 == program.size()) continue;
            program.on(rank).send(now, now + kLatency, {.peer = rank + 1});
            now += kLatency;
        }
        program.collective(OTF2_COLLECTIVE_OP_BARRIER);
    }
    program.finish();
    return {std::move(program.trace), {}};
}

/// Pairs: a message leaves the even one only when the odd one looks for others in the middle of its work.
FaultyRun lateProgress(Chance& chance) {
    Program program(2 * chance.upTo(1, 6));
    const unsigned steps = chance.upTo(10, 20);
    const double usual = chance.upTo(2'000, 10'000), little = usual * chance.between(0.1, 0.3);
    FaultyRun run;
    for (unsigned step = 0; step < steps; ++step)
        for (unsigned rank = 0; rank < program.size(); rank += 2) {
            const unsigned peer = rank + 1;
            program.compute(rank, chance.around(little), "prepare");
            program.compute(peer, chance.around(usual), "solve");
            Tick &sender = program.now[rank], &receiver = program.now[peer];
            const Tick left = std::max(sender, receiver) + kLatency;
            program.on(rank).send(sender, left, {.peer = peer});
            sender = left;
            program.on(peer).call(receiver, receiver + kLatency, "MPI_Iprobe");
            receiver += kLatency;
            program.compute(peer, chance.around(little), "use");
            const Tick got = std::max(sender, receiver) + kLatency;
            program.on(peer).recv(receiver, got, {.peer = rank});
            receiver = got;
        }
    for (unsigned rank = 1; rank < program.size(); rank += 2) run.guilty.push_back(rank);
    program.finish();
    run.trace = std::move(program.trace);
    return run;
}

/// Rank 0 looks for the messages of all others, in any order, and receives them; one has more to do.
FaultyRun probe(Chance& chance) {
    const unsigned number = chance.upTo(3, 12), late = chance.upTo(1, number - 1);
    Program program(number);
    const unsigned steps = chance.upTo(10, 20);
    const double usual = chance.upTo(2'000, 10'000), more = usual * chance.between(1.5, 3);
    for (unsigned step = 0; step < steps; ++step) {
        std::vector<std::pair<Tick, unsigned>> sent;
        program.compute(0, chance.around(usual), "solve");
        for (unsigned rank = 1; rank < number; ++rank) {
            program.compute(rank, chance.around(rank == late ? more : usual), "solve");
            Tick& now = program.now[rank];
            sent.emplace_back(now, rank);
            program.on(rank).send(now, now + kLatency, {.peer = 0});
            now += kLatency;
        }
        std::ranges::sort(sent);
        for (const auto& [time, rank] : sent) {
            Tick& now = program.now[0];
            const Tick found = std::max(now, time) + kLatency;
            program.on(0).call(now, found, "MPI_Probe").recv(found, found + kLatency, {.peer = rank});
            now = found + kLatency;
        }
        program.collective(OTF2_COLLECTIVE_OP_BARRIER);
    }
    program.finish();
    return {std::move(program.trace), {late}};
}

}  // namespace

FaultyRun faultyRun(Fault fault, unsigned variant) {
    constexpr std::uint64_t kVariants = 1000;
    Chance chance(static_cast<std::uint64_t>(fault) * kVariants + variant);
    switch (fault) {
        case Fault::LateOne:
            return lateOne(chance, variant);
        case Fault::Gradient:
            return gradientRun(chance, variant);
        case Fault::WrongOrder:
            return wrongOrder(chance, variant);
        case Fault::Serial:
            return serial(chance, variant);
        case Fault::Lock:
            return lockRun(chance);
        case Fault::SlowNode:
            return slowNodeRun(chance, variant);
        case Fault::GrowingImbalance:
            return growing(chance, variant);
        case Fault::SmallMessages:
            return smallMessages(chance);
        case Fault::Chain:
            return chain(chance, variant);
        case Fault::LateProgress:
            return lateProgress(chance);
        case Fault::Probe:
            return probe(chance);
        case Fault::None:
            break;
    }
    return healthy(chance, variant);
}

}  // namespace holos::testing
