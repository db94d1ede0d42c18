// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/study/ledger.h"
#include "tests/support/chance.h"
#include "tests/support/trace_builder.h"

namespace holos::testing::study {

/// Where a program runs.
struct Machine {
    unsigned processes = 4;
    unsigned threads = 1;  ///< of each process
    unsigned nodes = 1;
    bool isBusy = false;  ///< others use its processors, too
    // Its network.
    double latency = 10;  ///< microseconds
    double bytesInMicrosecond = 1000;
    std::optional<unsigned> slowRank = {};  ///< computes at half of the speed

    friend bool operator==(const Machine&, const Machine&) = default;
};

struct Who {
    unsigned rank;
    unsigned thread = 0;
};

/// How neighbours of a ring exchange messages.
enum class Ring : std::uint8_t { SendAndReceive, Sendrecv, Waitall, Persistent };

/// Processes and threads with clocks of their own. Every call takes a thread's clock on as MPI and OpenMP
/// would, writes events, and notes in ledgers what it truly did. Times are microseconds. The same seed is the
/// same run, and what happens by chance in a function does not depend on other functions.
class SimulatedProgram {
  public:
    SimulatedProgram(const Machine& machine, std::uint64_t seed);

    unsigned processes() const { return static_cast<unsigned>(now_.size()); }
    unsigned threads() const { return machine_.threads; }
    Tick& now(Who who) { return now_[who.rank][who.thread]; }

    /// A function that all processes call; everything until `leave` is in it.
    void enter(const std::string& function);
    void leave();
    /// MPI starts; nothing where there is one process.
    void initialize(double time);
    /// All do as much, and meet.
    void equalStep();
    /// Writes what is known of the threads, too.
    void finish();

    // What a thread does by itself.
    void work(Who who, std::string_view function, double time);
    void sleep(Who who, double time, std::string_view function = "nanosleep");
    void useFile(Who who, std::string_view function, double time);
    /// While others have to wait for that.
    void readAlone(Who who, std::string_view function, double time);
    /// A call of MPI, or of the recorder, that takes so long whatever others do.
    void call(Who who, std::string_view function, double time);

    // Messages. Those that are sent leave the sender at once.
    void send(unsigned from, unsigned to, std::uint32_t tag = 0, std::uint64_t bytes = 8);
    void receive(unsigned at, unsigned from, std::uint32_t tag = 0);
    /// A receive that was asked for before; completed by this call.
    void post(unsigned at);
    void completePosted(unsigned at, unsigned from, std::string_view function);
    /// The first message that has come of any; then it is received.
    void probe(unsigned at, std::vector<unsigned> from, std::string_view function);
    /// The sender stays until the receiver is there, and the other way round.
    void meet(unsigned from, unsigned to, std::string_view function, std::uint64_t bytes = 100'000);
    /// A send that ends when the receiver calls MPI for something else.
    void sendThatNeeds(unsigned from, unsigned to);
    void ring(Ring way, std::uint64_t bytes = 8);

    // What all processes do together.
    void collective(OTF2_CollectiveOp operation, unsigned root = 0);
    /// Nonblocking: all begin, do as they are told, and complete it.
    void begin(std::string_view function);
    void complete(OTF2_CollectiveOp operation);
    void communicators(std::string_view function, OTF2_CollectiveOp operation);
    void fence();
    void writeTogether();

    // Threads of a process. Between `fork` and `join` they are in a parallel region.
    void fork(unsigned rank, const std::string& region);
    /// They wait for the last one; `cost` is what ending takes.
    void join(unsigned rank, double cost = 2);
    void barrier(unsigned rank);
    /// Each thread wants the lock, the first to come first, and holds it for so long.
    void locked(unsigned rank, double time, bool ofPthreads);
    void createTasks(Who who, unsigned number);
    /// To the barrier at which `join` ends, where it runs tasks.
    void arrive(Who who);
    /// A task that the first thread created.
    void task(Who who, std::string_view function, double time);
    void enterTaskwait(Who who);
    /// When the tasks of others end.
    void leaveTaskwait(Who who, Tick until);

    const TraceBuilder& trace() const { return *trace_; }

    // The truth.
    double seconds() const;                           ///< from start to end
    const Ledger& worked() const { return worked_; }  ///< computation and sleep
    const Ledger& computed() const { return computed_; }
    const Ledger& waited() const { return waited_; }  ///< for others
    double starved() const;                           ///< of all threads, without a processor

  private:
    LocationScript& on(Who who) { return trace_->on(who.rank, who.thread); }
    std::size_t placeOf(Who who) const { return std::size_t{who.rank} * machine_.threads + who.thread; }
    static double inSeconds(Tick ticks) { return static_cast<double>(ticks) * 1e-6; }
    Tick latest() const;
    /// What a call costs: more on a busy machine, now and then.
    Tick costOf(Who who, double time);
    Tick starve(Who who, Tick time);
    /// In a call or construct.
    void wait(Who who, Tick until, std::string_view region);
    /// With the function that does it, where it is no region of its own.
    void note(Ledger& ledger, Who who, Tick time, std::string_view function = {});

    Machine machine_;
    std::uint64_t seed_;
    Chance chance_;
    std::unique_ptr<TraceBuilder> trace_;
    std::vector<std::vector<Tick>> now_;  ///< by rank and thread
    std::vector<std::string> functions_;  ///< in which the program is
    std::uint64_t phases_ = 0;
    std::map<std::tuple<unsigned, unsigned, std::uint32_t>, std::deque<Tick>> sent_;  ///< from, to, tag
    std::vector<Tick> begun_;           ///< of the nonblocking operation, by rank
    std::vector<std::string> regions_;  ///< parallel, in which each rank is
    std::vector<bool> hasArrived_;      ///< at the barrier of its region, by thread
    std::uint64_t requests_ = 0;
    std::vector<std::uint64_t> posted_;  ///< by rank
    std::uint32_t tasks_ = 0;
    std::optional<OTF2_CallingContextRef> creator_;  ///< of tasks, in the function in which the program is
    std::uint32_t lockOrder_ = 0;
    OTF2_RmaWinRef window_ = 0;
    OTF2_IoHandleRef file_ = 0;
    bool hasWindow_ = false, hasFile_ = false;
    std::vector<double> starved_, asleep_;  ///< seconds, by thread
    Ledger worked_, computed_, waited_;
};

}  // namespace holos::testing::study
