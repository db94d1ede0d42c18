// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tracing/counters/selection.h"
#include "tracing/recordings/attach/attached_process.h"
#include "tracing/recordings/attach/attached_threads.h"

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
