// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/selection.h"
#include "tracing/counters/spe_packets.h"
#include "tracing/recordings/attach/attached_process.h"
#include "tracing/recordings/attach/kernel_records.h"

namespace holos::attach {

/// Counts events in threads of other programs. Each thread that is there at the start counts for itself and
/// for all that it starts later; of what came later and is counted by itself, its values are taken off again.
/// The sum is exact in that way, and what a new thread did before it was seen counts for the one that
/// descends from the start.
///
/// Thread safety: one thread.
class ThreadCounters {
  public:
    explicit ThreadCounters(std::vector<counters::PerfEvent> events) : events_(std::move(events)) {}
    ~ThreadCounters();
    ThreadCounters(ThreadCounters&&) = delete;

    const std::vector<counters::PerfEvent>& events() const { return events_; }

    /// Counts a thread that is there at the start. Throws `Error` where the kernel does not allow it.
    void addFirst(pid_t thread);
    /// Counts one that `parent` started; nothing where it has ended already.
    void add(pid_t thread, pid_t parent);
    void enable(bool isOn);

    /// The last values of a thread that has ended; none of one that is not counted.
    std::vector<std::uint64_t> end(pid_t thread);

    /// By thread one value for each event, since the start: also of threads that have ended.
    std::map<pid_t, std::vector<std::uint64_t>> read();

  private:
    struct Counted {
        std::vector<int> files;
        std::vector<std::uint64_t> last;
        pid_t first;  ///< the thread of the start that it descends from; or itself
    };
    /// False where the thread is gone. `inherited`: also what it starts.
    bool open(pid_t thread, bool inherited, Counted& counted);
    static void close(Counted& counted);
    void readLater(Counted& counted);

    std::vector<counters::PerfEvent> events_;
    std::map<pid_t, Counted> threads_;
    bool isOn_ = true;
};

/// What the kernel tells of threads of other programs, and of all that they start later, while it happens:
/// samples, and where threads, processes and programs begin and end (perf_event_open(2)). One event for each
/// thread and processor; those of a processor share a buffer, as the kernel inherits no other ones.
///
/// Thread safety: one thread.
class AttachedThreads {
  public:
    /// Throws `Error` for samples that this machine does not have.
    explicit AttachedThreads(std::optional<counters::Interrupts> samples);
    ~AttachedThreads();
    AttachedThreads(AttachedThreads&&) = delete;

    /// All threads of a process. Nothing where it has ended. Throws `Error` where the kernel does not allow
    /// it, with what would help.
    void add(pid_t process);

    /// Hands over what was told since the last time: in the order of time for each processor.
    void take(const std::function<void(KernelRecord&&)>& consume);

    void enable(bool isOn);

    /// What the kernel does not allow, for people; empty where it allows all.
    const std::string& restriction() const { return restriction_; }

  private:
    bool addThread(pid_t process, pid_t thread);
    bool addEvents(pid_t process, pid_t thread, int processor);
    void useBuffer(pid_t process, int file, int processor);
    bool hasOwnRecords() const;
    void takeOwn(RecordBuffer& buffer, const KernelOwnRecords& own,
                 const std::function<void(KernelRecord&&)>& consume) const;
    int open(const counters::MemoryEvent& event, pid_t thread, int processor, int leader) const;
    std::string whyNot(pid_t process, int error) const;

    std::optional<counters::Interrupts> samples_;
    std::vector<counters::MemoryEvent> events_;  ///< one, but for accesses to memory
    std::vector<int> files_;
    struct Processor {
        int number;
        int file;  ///< of the event whose buffer it is
        RecordBuffer buffer;
    };
    std::vector<Processor> processors_;
    std::set<pid_t> threads_;
    counters::SpeSources sources_;
    bool withoutKernel_ = false;
    std::string restriction_;
};

}  // namespace holos::attach

/// Recording of programs that run already, from outside: nothing of them is changed.
namespace holos::attach {

struct Request {
    std::vector<pid_t> processes;
    std::vector<std::string> counters;
    std::optional<counters::Interrupts> samples;
    std::int64_t interval = 100'000'000;  ///< nanoseconds between readings of counters
};

/// The counters of a request, by how they are read. Throws `Refusal` for one that cannot be counted from
/// outside.
class ChosenCounters {
  public:
    explicit ChosenCounters(const std::vector<std::string>& names);

    std::vector<counters::PerfEvent> ofThreads;
    std::vector<std::string> ofProcess;
    counters::Selection ofNode;

    std::vector<std::string> sampledNames() const;
};

/// Processes, their threads, and all that they start, from the construction on.
///
/// Thread safety: one thread.
class Attachment {
  public:
    /// Throws `Error` where a process is not there or may not be looked at, with what would help; nothing is
    /// written then. Such errors are those of all functions here where a disk is full.
    Attachment(const Request& request, std::filesystem::path recording, std::string run);

    /// Writes down what happened since the last time; to be called some times each second. False once all
    /// processes have ended.
    bool goOn();

    /// Whether anything is recorded.
    void enable(bool isOn);

    /// Writes down the rest. Nothing may follow.
    void finish();

  private:
    struct Readings {
        std::uint64_t time = 0;
        std::map<pid_t, std::vector<std::uint64_t>> ofThreads;
        std::map<pid_t, std::vector<std::uint64_t>> sampled;  ///< by process
    };
    using Happening = std::variant<KernelRecord, Readings>;

    struct Living {
        std::unique_ptr<AttachedProcess> files;
        ProgramFacts program;
        std::unique_ptr<counters::Group> ofProcess;
        bool hasNode = false;
    };

    Living& processOf(pid_t process, pid_t parent = 0);
    void addFound(pid_t root);
    void take();
    void readCounters();
    void handleUntil(std::uint64_t time);
    void handle(const KernelSample& sample);
    void handle(const KernelFork& fork);
    void handle(const KernelExit& exit);
    void handle(const KernelExec& exec);
    void handle(const KernelMapping& mapping);
    void handle(const KernelLoss& loss);
    void handle(const Readings& readings);
    void endProcess(pid_t process, std::uint64_t time);
    void endThoseThatAreGone();

    ChosenCounters chosen_;
    std::filesystem::path recording_;
    std::string run_;
    std::int64_t interval_;
    std::optional<counters::Interrupts> samples_;
    AttachedThreads threads_;
    ThreadCounters counters_;
    std::unique_ptr<counters::Reader> node_;
    std::map<pid_t, Living> living_;
    std::vector<Happening> pending_;
    std::uint64_t lastReading_ = 0;
    bool isOn_ = true;
    bool nodeIsTaken_ = false;
};

}  // namespace holos::attach
