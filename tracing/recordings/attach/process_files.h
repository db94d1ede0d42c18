// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tracing/recordings/format/definition_kinds.h"
#include "tracing/recordings/format/record.h"

/// What the kernel tells of running processes in /proc.
namespace holos::attach {

/// The threads that a process has now; none where it has ended.
std::vector<pid_t> threadsOf(pid_t process);

/// The process and all that descend from it and still live, parents before their children.
std::vector<pid_t> withDescendants(pid_t process);

struct ProgramFacts {
    std::string executable;
    std::vector<std::string> arguments;
    std::int64_t rank = -1;  ///< that a launcher of MPI gave it; -1: none that can be seen
};
/// The program that a process runs; empty where that cannot be seen.
ProgramFacts programOf(pid_t process);
/// The rank in the text of an environment, such as /proc/PID/environ, by `tracing::core::kRankVariables`.
std::int64_t rankIn(const std::string& environment);

/// A file with code in the memory of a process. `begin`: where the first part of it that is loaded lies.
struct LoadedPart {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string path;  ///< `[vdso]` for the code that the kernel gives every process
};
/// By address; none where the process has ended or may not be looked at.
std::vector<LoadedPart> codeOf(pid_t process);
/// The parts that a text such as /proc/PID/maps names.
std::vector<LoadedPart> codeIn(const std::string& maps);

/// One entry of its definitions under construction.
class Definition : public tracing::core::DefinitionEntry<Definition> {
  public:
    using DefinitionEntry::DefinitionEntry;
};

/// What tells of a process that is looked at from outside, in the form in which the preloaded recorder leaves
/// it (`definition_kinds.h`, `record.h`): a folder `HOST.PID.N` with `definitions`, `events`, `status` and
/// `alive`, which says that this process, the one that looks, works on it. Events are stored in memory that
/// the kernel shares with the file, so that they are there if this process is killed.
///
/// Thread safety: one thread.
class ProcessFiles {
  public:
    /// Makes the folder. Throws `Error`.
    ProcessFiles(const std::filesystem::path& recording, const std::string& run, pid_t process,
                 const ProgramFacts& program);
    ~ProcessFiles();
    ProcessFiles(ProcessFiles&&) = delete;

    /// Appends an entry. Throws `Error`.
    void define(Definition& entry);

    /// Appends a record: its header, and what stands behind it. The records of a location come in the order
    /// of their times. Throws `Error` where the disk is full.
    void record(std::uint32_t location, std::uint64_t headerWord, std::span<const std::uint64_t> words);

    /// Notes now and then what the clock says, so that times are known also where there is no end. `now`: in
    /// nanoseconds of CLOCK_MONOTONIC_RAW. Throws `Error`.
    void keepTime(std::uint64_t now);

    void countLostSamples(std::uint64_t samples) { status_.lostSamples += samples; }

    /// Notes the time and that all is there. Nothing is added later.
    void end();

  private:
    struct Chunk {
        std::uint64_t* begin = nullptr;
        std::uint64_t* next = nullptr;
        std::uint64_t* end = nullptr;
        std::size_t bytes = 0;
        std::uint64_t offset = 0;  ///< in the file
    };

    void makeFolder(const std::filesystem::path& recording, pid_t process);
    void proveLife(const std::string& run, std::int64_t rank);
    void describe(pid_t process, const ProgramFacts& program);
    void noteClock();
    void writeStatus();
    void begin(Chunk& chunk, std::uint32_t location);
    void close(std::uint32_t location, Chunk& chunk);
    void prove(std::uint32_t location, const Chunk& chunk);
    void closeFiles();

    std::filesystem::path folder_;
    int alive_ = -1;
    int definitions_ = -1;
    int events_ = -1;
    std::vector<unsigned char> written_;  ///< the definitions
    std::uint64_t eventBytes_ = 0;
    std::map<std::uint32_t, Chunk> chunks_;  ///< by location
    tracing::Status status_{};
    std::uint64_t clockNotedAt_ = 0;  ///< since the start; 0: not yet
};

}  // namespace holos::attach
