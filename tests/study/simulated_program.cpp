// SPDX-License-Identifier: BSD-3-Clause
#include "tests/study/simulated_program.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "algebra/model/processors.h"

namespace holos::testing::study {

namespace {

constexpr auto* kParallel = "!$omp parallel @x.c:1";
constexpr auto* kBarrier = "!$omp barrier @x.c:7";
constexpr auto* kImplicitBarrier = "!$omp implicit barrier @x.c:9";
constexpr auto* kCritical = "!$omp critical @x.c:3";
constexpr auto* kTask = "!$omp task @x.c:4";
constexpr auto* kCreate = "!$omp create task @x.c:4";
constexpr auto* kTaskwait = "!$omp taskwait @x.c:5";
/// In which a rank waits for its neighbour.
constexpr std::array kRingCalls{"MPI_Recv", "MPI_Sendrecv", "MPI_Waitall", "MPI_Waitall"};
constexpr auto* kMutex = "pthread_mutex_lock";
constexpr auto* kUnlock = "pthread_mutex_unlock";

void defineRegions(TraceBuilder& trace) {
    for (const char* function : {"MPI_Iprobe", "MPI_Probe", "MPI_Mprobe"})
        trace.region(function, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_POINT2POINT, "MPI"});
    trace.region(kTask, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "x.c"});
    trace.region(kCreate, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_CREATE, "x.c"});
    trace.region(kTaskwait, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_WAIT, "x.c"});
    for (const char* function : {kMutex, kUnlock})
        trace.region(function, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
}

std::uint64_t mixed(std::uint64_t seed, std::string_view text, std::uint64_t number) {
    constexpr std::uint64_t kPrime = 1099511628211ULL;  // FNV-1a
    std::uint64_t hash = 14695981039346656037ULL ^ seed;
    for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
    return (hash ^ number) * kPrime;
}

}  // namespace

SimulatedProgram::SimulatedProgram(const Machine& machine, std::uint64_t seed)
    : machine_(machine),
      seed_(seed),
      chance_(seed),
      trace_(std::make_unique<TraceBuilder>(machine.processes, machine.threads)),
      now_(machine.processes, std::vector<Tick>(machine.threads, 0)),
      regions_(machine.processes),
      hasArrived_(std::size_t{machine.processes} * machine.threads),
      posted_(machine.processes),
      starved_(std::size_t{machine.processes} * machine.threads),
      asleep_(starved_.size()),
      worked_(starved_.size()),
      computed_(starved_.size()),
      waited_(starved_.size()) {
    constexpr std::uint64_t kMicroseconds = 1'000'000;
    trace_->clock(kMicroseconds, 0).nodes(machine.nodes);
    trace_->callingContext("main");  // as our recorder's traces have them
    defineRegions(*trace_);
    for (unsigned rank = 0; rank < processes(); ++rank) on({rank}).enter(0, "main");
    functions_ = {"main"};
}

void SimulatedProgram::enter(const std::string& function) {
    for (unsigned rank = 0; rank < processes(); ++rank) on({rank}).enter(now({rank}), function);
    functions_.push_back(function);
    creator_.reset();
    chance_ = Chance(mixed(seed_, function, ++phases_));
}

void SimulatedProgram::leave() {
    for (unsigned rank = 0; rank < processes(); ++rank) on({rank}).leave(now({rank}));
    functions_.pop_back();
}

void SimulatedProgram::initialize(double time) {
    if (processes() == 1) return;
    const Tick all = latest();
    for (unsigned rank = 0; rank < processes(); ++rank) {
        on({rank}).enter(now({rank}), "MPI_Init");
        wait({rank}, all, "MPI_Init");
        now({rank}) += chance_.around(time);
        on({rank}).leave(now({rank}));
    }
}

void SimulatedProgram::equalStep() {
    constexpr double kEqual = 5000;
    for (unsigned rank = 0; rank < processes(); ++rank) {
        if (threads() > 1) fork(rank, kParallel);
        for (unsigned thread = 0; thread < threads(); ++thread) work({rank, thread}, "advance", kEqual);
        if (threads() > 1) join(rank);
    }
    if (processes() > 1) collective(OTF2_COLLECTIVE_OP_ALLREDUCE);
}

void SimulatedProgram::finish() {
    const Tick end = latest() + 1;
    for (unsigned rank = 0; rank < processes(); ++rank) {
        if (processes() > 1) on({rank}).call(now({rank}), end, "MPI_Finalize");
        wait({rank}, end, "MPI_Finalize");
        on({rank}).leave(end);
        for (unsigned thread = 0; thread < threads(); ++thread) {
            const auto nanoseconds = [](double time) {
                return std::to_string(static_cast<std::uint64_t>(time * 1e9));
            };
            const double without = starved_[placeOf({rank, thread})];
            trace_->property(rank, thread, algebra::kOnProcessorsAttribute,
                             nanoseconds(seconds() - without - asleep_[placeOf({rank, thread})]));
            trace_->property(rank, thread, algebra::kWaitingForProcessorsAttribute, nanoseconds(without));
        }
    }
}

Tick SimulatedProgram::latest() const {
    Tick latest = 0;
    for (const auto& clocks : now_) latest = std::max(latest, *std::ranges::max_element(clocks));
    return latest;
}

double SimulatedProgram::seconds() const {
    return inSeconds(latest());
}

double SimulatedProgram::starved() const {
    return std::accumulate(starved_.begin(), starved_.end(), 0.0);
}

/// How much longer it takes, because others have the processor.
Tick SimulatedProgram::starve(Who who, Tick time) {
    constexpr double kOften = 0.3;
    const double drawn = chance_.between(0, 1), much = chance_.between(0.2, 1);
    if (!machine_.isBusy || drawn > kOften) return 0;
    const auto lost = static_cast<Tick>(static_cast<double>(time) * much);
    starved_[placeOf(who)] += inSeconds(lost);
    return lost;
}

Tick SimulatedProgram::costOf(Who who, double time) {
    constexpr double kSeldom = 0.003;
    const Tick cost = std::max<Tick>(1, chance_.around(time));
    const double drawn = chance_.between(0, 1), longer = chance_.between(100, 500);
    if (!machine_.isBusy || drawn > kSeldom) return cost;
    starved_[placeOf(who)] += longer * 1e-6;
    return cost + static_cast<Tick>(longer);
}

void SimulatedProgram::note(Ledger& ledger, Who who, Tick time, std::string_view function) {
    std::vector<std::string> functions = functions_;
    if (!regions_[who.rank].empty()) functions.push_back(regions_[who.rank]);
    if (!function.empty()) functions.emplace_back(function);
    ledger.add(functions, placeOf(who), inSeconds(time));
}

void SimulatedProgram::wait(Who who, Tick until, std::string_view region) {
    if (until <= now(who)) return;
    note(waited_, who, until - now(who), region);
    now(who) = until;
}

void SimulatedProgram::work(Who who, std::string_view function, double time) {
    const double speed = machine_.slowRank == who.rank ? 0.5 : 1;
    const Tick needed = chance_.around(time / speed), begin = now(who);
    now(who) += needed + starve(who, needed);
    on(who).call(begin, now(who), function);
    note(worked_, who, now(who) - begin, function);
    note(computed_, who, now(who) - begin, function);
}

void SimulatedProgram::sleep(Who who, double time, std::string_view function) {
    trace_->region(function, {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
    const Tick begin = now(who);
    now(who) += chance_.around(time);
    on(who).call(begin, now(who), function);
    asleep_[placeOf(who)] += inSeconds(now(who) - begin);
    note(worked_, who, now(who) - begin, function);
}

void SimulatedProgram::useFile(Who who, std::string_view function, double time) {
    trace_->region(function, {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_FILE_IO, ""});
    const Tick begin = now(who);
    now(who) += chance_.around(time);
    on(who).call(begin, now(who), function);
}

void SimulatedProgram::readAlone(Who who, std::string_view function, double time) {
    const Tick begin = now(who);
    useFile(who, function, time);
    note(worked_, who, now(who) - begin, function);
}

void SimulatedProgram::call(Who who, std::string_view function, double time) {
    const Tick begin = now(who);
    now(who) += costOf(who, time);
    on(who).call(begin, now(who), function);
}

void SimulatedProgram::send(unsigned from, unsigned to, std::uint32_t tag, std::uint64_t bytes) {
    const Tick begin = now({from});
    sent_[{from, to, tag}].push_back(begin);
    now({from}) +=
        costOf({from}, machine_.latency + static_cast<double>(bytes) / machine_.bytesInMicrosecond);
    on({from}).send(begin, now({from}), {.peer = to, .bytes = bytes, .tag = tag});
}

void SimulatedProgram::receive(unsigned at, unsigned from, std::uint32_t tag) {
    auto& queue = sent_.at({from, at, tag});
    const Tick begin = now({at});
    wait({at}, queue.front(), "MPI_Recv");
    queue.pop_front();
    now({at}) += costOf({at}, machine_.latency);
    on({at}).recv(begin, now({at}), {.peer = from, .tag = tag});
}

void SimulatedProgram::post(unsigned at) {
    const Tick begin = now({at});
    now({at}) += costOf({at}, 1);
    on({at}).irecv(begin, now({at}), posted_[at] = ++requests_);
}

void SimulatedProgram::completePosted(unsigned at, unsigned from, std::string_view function) {
    auto& queue = sent_.at({from, at, 0});
    const Tick begin = now({at});
    wait({at}, queue.front(), function);
    queue.pop_front();
    now({at}) += costOf({at}, machine_.latency);
    on({at}).waitRecv(begin, now({at}), {.peer = from}, posted_[at], function);
}

void SimulatedProgram::probe(unsigned at, std::vector<unsigned> from, std::string_view function) {
    std::ranges::sort(from, {}, [&](unsigned rank) { return sent_.at({rank, at, 0}).front(); });
    for (const unsigned rank : from) {
        const Tick begin = now({at});
        wait({at}, sent_.at({rank, at, 0}).front(), function);
        now({at}) += costOf({at}, machine_.latency);
        on({at}).call(begin, now({at}), function);
        receive(at, rank);
    }
}

void SimulatedProgram::meet(unsigned from, unsigned to, std::string_view function, std::uint64_t bytes) {
    const Tick sends = now({from}), receives = now({to}), both = std::max(sends, receives);
    const Tick end =
        both + costOf({from}, machine_.latency + static_cast<double>(bytes) / machine_.bytesInMicrosecond);
    wait({from}, both, function);
    wait({to}, both, "MPI_Recv");
    on({from}).send(sends, end, {.peer = to, .bytes = bytes}, function);
    on({to}).recv(receives, end, {.peer = from, .bytes = bytes});
    now({from}) = now({to}) = end;
}

void SimulatedProgram::sendThatNeeds(unsigned from, unsigned to) {
    const Tick begin = now({from});
    sent_[{from, to, 0}].push_back(begin);
    wait({from}, now({to}), "MPI_Send");
    now({from}) += costOf({from}, machine_.latency);
    on({from}).send(begin, now({from}), {.peer = to});
    call({to}, "MPI_Iprobe", machine_.latency);
}

void SimulatedProgram::ring(Ring way, std::uint64_t bytes) {
    if (way == Ring::SendAndReceive) {
        for (unsigned rank = 0; rank < processes(); ++rank) send(rank, (rank + 1) % processes(), 0, bytes);
        for (unsigned rank = 0; rank < processes(); ++rank)
            receive(rank, (rank + processes() - 1) % processes());
        return;
    }
    std::vector<Tick> sends;
    for (unsigned rank = 0; rank < processes(); ++rank) sends.push_back(now({rank}));
    for (unsigned rank = 0; rank < processes(); ++rank) {
        const unsigned left = (rank + processes() - 1) % processes(), right = (rank + 1) % processes();
        const Message out{.peer = right, .bytes = bytes}, in{.peer = left, .bytes = bytes};
        const Tick begin = now({rank});
        const std::uint64_t receives = ++requests_, sending = ++requests_;
        LocationScript& script = on({rank});
        if (way == Ring::Persistent)
            script.enter(begin, "MPI_Startall")
                .receivePosted(begin, receives)
                .sendPosted(begin, out, sending);
        if (way == Ring::Persistent) script.leave(begin + 1);
        if (way == Ring::Waitall) script.irecv(begin, begin, receives).isend(begin, begin + 1, out, sending);
        if (way != Ring::Sendrecv) ++now({rank});
        const Tick waits = now({rank});
        wait({rank}, sends[left], kRingCalls[static_cast<std::size_t>(way)]);
        now({rank}) +=
            costOf({rank}, machine_.latency + static_cast<double>(bytes) / machine_.bytesInMicrosecond);
        const Tick end = now({rank});
        if (way == Ring::Sendrecv)
            script.sendrecv(begin, end, out, in);
        else
            script.enter(waits, "MPI_Waitall")
                .sendCompleted(end, sending)
                .receiveCompleted(end, in, receives)
                .leave(end);
    }
}

void SimulatedProgram::collective(OTF2_CollectiveOp operation, unsigned root) {
    const Tick all = latest(), first = now({root});
    Tick before = 0;
    for (unsigned rank = 0; rank < processes(); ++rank) {
        Share share;
        const Tick begin = now({rank});
        before = std::max(before, begin);
        switch (operation) {
            case OTF2_COLLECTIVE_OP_BCAST:
            case OTF2_COLLECTIVE_OP_SCATTER:
                share.root = root;
                wait({rank}, first, functionOf(operation));
                break;
            case OTF2_COLLECTIVE_OP_REDUCE:
            case OTF2_COLLECTIVE_OP_GATHER:
                share.root = root;
                if (rank == root) wait({rank}, all, functionOf(operation));
                break;
            case OTF2_COLLECTIVE_OP_SCAN:
                wait({rank}, before, functionOf(operation));
                break;
            default:
                wait({rank}, all, functionOf(operation));
        }
        now({rank}) += costOf({rank}, machine_.latency);
        on({rank}).collective(begin, now({rank}), operation, share);
    }
}

void SimulatedProgram::begin(std::string_view function) {
    begun_.clear();
    ++requests_;
    for (unsigned rank = 0; rank < processes(); ++rank) {
        const Tick begin = now({rank});
        begun_.push_back(begin);
        now({rank}) += costOf({rank}, 1);
        on({rank}).startCollective(begin, now({rank}), requests_, function);
    }
}

void SimulatedProgram::complete(OTF2_CollectiveOp operation) {
    const Tick all = *std::ranges::max_element(begun_);
    for (unsigned rank = 0; rank < processes(); ++rank) {
        const Tick begin = now({rank});
        wait({rank}, all, "MPI_Wait");
        now({rank}) += costOf({rank}, machine_.latency);
        on({rank}).waitCollective(begin, now({rank}), operation, {}, requests_);
    }
}

void SimulatedProgram::communicators(std::string_view function, OTF2_CollectiveOp operation) {
    const Tick all = latest();
    for (unsigned rank = 0; rank < processes(); ++rank) {
        const Tick begin = now({rank});
        wait({rank}, all, function);
        now({rank}) += costOf({rank}, machine_.latency);
        on({rank}).enter(begin, function).collectiveBegin(begin);
        on({rank}).collectiveEnd(now({rank}), operation, {.sent = 0, .received = 0}).leave(now({rank}));
    }
}

void SimulatedProgram::fence() {
    if (!hasWindow_) window_ = trace_->window();
    hasWindow_ = true;
    const Tick all = latest();
    for (unsigned rank = 0; rank < processes(); ++rank) {
        const Tick begin = now({rank});
        wait({rank}, all, "MPI_Win_fence");
        now({rank}) += costOf({rank}, machine_.latency);
        on({rank}).enter(begin, "MPI_Win_fence").fence(begin, now({rank}), window_).leave(now({rank}));
    }
}

void SimulatedProgram::writeTogether() {
    if (!hasFile_) file_ = trace_->file();
    hasFile_ = true;
    trace_->region("MPI_File_write_all", {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
    const Tick all = latest();
    for (unsigned rank = 0; rank < processes(); ++rank) {
        const Tick begin = now({rank});
        wait({rank}, all, "MPI_File_write_all");
        now({rank}) += costOf({rank}, machine_.latency);
        on({rank}).enter(begin, "MPI_File_write_all").writeTogether(begin, now({rank}), file_, 8);
        on({rank}).leave(now({rank}));
    }
}

void SimulatedProgram::fork(unsigned rank, const std::string& region) {
    const Tick begin = now({rank});
    regions_[rank] = region;
    on({rank}).fork(begin, threads());
    for (unsigned thread = 0; thread < threads(); ++thread) {
        now({rank, thread}) = begin;
        on({rank, thread}).teamBegin(begin).enter(begin, region);
    }
}

void SimulatedProgram::join(unsigned rank, double cost) {
    const Tick all = *std::ranges::max_element(now_[rank]), end = all + costOf({rank}, cost);
    for (unsigned thread = 0; thread < threads(); ++thread) {
        const Who who{rank, thread};
        arrive(who);
        hasArrived_[placeOf(who)] = false;
        on(who).leave(end).leave(end).teamEnd(end);
        wait(who, all, kImplicitBarrier);
        now(who) = end;
    }
    regions_[rank].clear();
    on({rank}).join(end);
}

void SimulatedProgram::createTasks(Who who, unsigned number) {
    for (unsigned i = 0; i < number; ++i) call(who, kCreate, 1);
}

void SimulatedProgram::arrive(Who who) {
    if (!hasArrived_[placeOf(who)]) on(who).enter(now(who), kImplicitBarrier);
    hasArrived_[placeOf(who)] = true;
}

void SimulatedProgram::barrier(unsigned rank) {
    const Tick all = *std::ranges::max_element(now_[rank]), end = all + 2;
    for (unsigned thread = 0; thread < threads(); ++thread) {
        const Who who{rank, thread};
        on(who).call(now(who), end, kBarrier);
        wait(who, all, kBarrier);
        now(who) = end;
    }
}

void SimulatedProgram::locked(unsigned rank, double time, bool ofPthreads) {
    std::vector<unsigned> order(threads());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](unsigned thread) { return now({rank, thread}); });
    Tick free = 0;
    for (const unsigned thread : order) {
        const Who who{rank, thread};
        const Tick wants = now(who);
        wait(who, free, ofPthreads ? kMutex : kCritical);
        on(who).enter(wants, ofPthreads ? kMutex : kCritical).acquire(now(who), rank, ++lockOrder_);
        if (ofPthreads) on(who).leave(now(who));
        work(who, "update_shared", time);
        free = now(who);
        if (ofPthreads) on(who).enter(free, kUnlock);
        on(who).release(free, rank, lockOrder_).leave(free);
    }
}

void SimulatedProgram::task(Who who, std::string_view function, double time) {
    if (!creator_) {
        creator_ = OTF2_UNDEFINED_CALLING_CONTEXT;
        for (const std::string& caller : functions_) creator_ = trace_->callingContext(caller, 1, *creator_);
    }
    on(who).switchTask(now(who), ++tasks_).enterFrom(now(who), kTask, *creator_);
    const std::uint32_t number = tasks_;
    work(who, function, time);
    on(who).leave(now(who)).completeTask(now(who), number).switchTask(now(who), 0);
}

void SimulatedProgram::enterTaskwait(Who who) {
    on(who).enter(now(who), kTaskwait);
}

void SimulatedProgram::leaveTaskwait(Who who, Tick until) {
    wait(who, until, kTaskwait);
    on(who).leave(now(who));
}

}  // namespace holos::testing::study
