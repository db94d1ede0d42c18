// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "metric-specs/processor.h"
#include "tracing/recordings/measurement/record_settings.h"

/// What is known of a run besides its events: the content of `measurement.json`, which is written and read
/// here alone. Each member stands once in `measurement.cpp`, with its name in the file.
namespace holos::measurement {

/// What a machine can do at most, as measured: operations and bytes a second.
struct Peaks {
    double operations = 0;
    double bandwidth = 0;
};

/// The machine that `holos record` was started on.
struct Host {
    std::string name = {};
    specs::Processor processor = {};
    std::int64_t logicalProcessors = 0;
    std::int64_t memoryBytes = 0;
    std::string system = {};  ///< kernel and release
    std::string distribution = {};
    std::uint32_t counterRegisters = 0;  ///< of a hardware thread; 0: not known
    std::string architecture = {};
    std::optional<Peaks> peaks = {};
    std::string peaksMissing = {};  ///< why there are none, though some were stored
};

/// What `holos record` knows when it starts a program.
struct Command {
    std::optional<RecordSettings> settings = {};  ///< nothing where a file has none, or unknown ones
    std::vector<std::string> arguments = {};      ///< the command line behind `--`
    std::vector<std::string> counters = {};
    std::string workingDirectory = {};
    std::vector<std::string> sampled = {};     ///< those of the counters that are read by time
    std::string callStacks = {};               ///< what samples of the call stack are taken by, or empty
    std::string openMpRuntime = {};            ///< that programs of gcc were to run with; empty: their own
    tracing::ChosenInstances traced = {};      ///< instances of the phase that is traced beside a profile
    std::vector<std::uint64_t> attached = {};  ///< processes that ran already, seen from outside
    Host host = {};
    std::map<std::string, std::string> environment = {};  ///< variables that shape a parallel program's run
};

/// How a process ended.
struct End {
    std::string how =
        {};  ///< `exit`, `_exit`, `quick_exit`, `unseen exit`, `signal`, `replaced`, `goes on`, …
    std::optional<int> exitCode = {};
    int signal = 0;
    std::string signalName = {};
    bool calledMpiAbort = false;
    double secondsAfterLastEvent = 0;
};

/// Where the processor is on which a thread was found for the longest time, and how many it used.
struct ThreadPlace {
    std::uint32_t socket = 0;
    std::uint32_t numaNode = 0;
    std::uint32_t core = 0;
    std::uint32_t unit = 0;
    std::size_t coresSeen = 0;
    std::size_t numaNodesSeen = 0;
};

/// Where a thread could run and was found (docs/processors.md).
struct Thread {
    std::string name = {};
    std::string mayUse = {};
    std::optional<std::string> mayUseAtEnd = {};  ///< where that is not the same
    std::size_t processorsSeen = 0;
    std::uint64_t changesSeen = 0;
    std::optional<std::uint32_t> processor = {};
    std::optional<std::int64_t> migrations = {};
    std::optional<std::uint64_t> nanosecondsOnProcessors = {};
    std::optional<std::uint64_t> nanosecondsWaitingForProcessors = {};
    std::optional<ThreadPlace> place = {};
};

/// A thread that is not in the trace.
struct OtherThread {
    std::string reason = {};
    std::string name = {};
    std::string startedBy = {};
    std::optional<std::int64_t> nanosecondsOnProcessors = {};
};

/// What limits the processors of a process, as that of a container.
struct ProcessorLimit {
    double processors = 0;      ///< that it may use on average, with others that have the same limit
    double secondsStopped = 0;  ///< in the recording, because they had used them up
};

/// How long processors of a process's machine had been in use since it started, by whatever programs: seconds
/// of all processors together.
struct MachineUse {
    double before = 0;  ///< when the recording of the process began
    double after = 0;   ///< at its end
};

struct Process {
    std::uint64_t pid = 0;
    std::string host = {};
    std::string program = {};
    std::vector<std::string> arguments = {};
    std::optional<std::uint32_t> rank = {};
    bool endedInOrder = false;
    End end = {};
    std::optional<std::uint64_t> lostEvents = {};  ///< nothing: not known
    std::optional<ProcessorLimit> processorLimit = {};
    std::optional<MachineUse> machineUse = {};
    /// Seconds that children which it waited for, and theirs, had processors while it was recorded, as far as
    /// they are not recorded themselves.
    std::optional<double> childSeconds = {};
    std::vector<Thread> threads = {};
    std::vector<OtherThread> otherThreads = {};
};

/// Which part of something a counter had in all threads, and the error of its sum where that is an estimate.
struct Share {
    double least = 1;
    double mean = 1;
    std::optional<double> error = {};
};

struct Cache {
    std::string name = {};  ///< such as `L3`
    std::uint64_t bytes = 0;
    std::uint32_t number = 0;  ///< how many of these there are
};

/// What a machine consists of.
struct Hardware {
    std::string processor = {};  ///< its model; empty where it is not known
    std::size_t processors = 0;
    std::uint32_t sockets = 0;
    std::uint32_t numaNodes = 0;
    std::uint32_t cores = 0;
    std::uint32_t coresOfSocket = 0;  ///< of the largest
    std::uint32_t unitsOfCore = 0;    ///< of the largest
    std::vector<Cache> caches = {};   ///< the smallest first
};

struct Compiler {
    std::string name = {};
    std::string options = {};
};

struct Libraries {
    std::string otf2 = {};
    std::string mpi = {};
};

/// Something that holds of every run that is recorded completely, and whether it holds of this one.
struct Law {
    std::string name = {};  ///< one of those that `archive/account/recording_laws.h` lists
    bool holds = true;
    std::string says = {};  ///< with the numbers
};

/// What a reader finds in no file, or in another kind than it should be, is as here.
struct Measurement {
    Command command = {};
    std::string run = {};    ///< its id
    std::string holos = {};  ///< version
    std::string begin = {};  ///< of the first process, in the form of ISO 8601
    std::string clock = {};
    Libraries libraries = {};
    std::optional<Compiler> compiler = {};
    std::vector<std::string> annotations = {};  ///< interfaces by which programs said what they do
    std::vector<Process> processes = {};
    std::map<std::string, Share> activeShares = {};     ///< of the time, of counters that took turns
    std::map<std::string, Share> readInUserSpace = {};  ///< of the readings of each counter
    std::map<std::string, Hardware> hardware = {};      ///< by host
    std::string moves = {};                             ///< of threads between cores; empty where none did
    std::size_t furtherJobs = 0;                        ///< MPI jobs that the run had besides
    std::string ends = {};                              ///< how the processes ended, in a sentence
    std::string leftOut = {};  ///< which programs are not in the trace, in a sentence; empty where none is
    std::vector<Law> laws = {};
    std::string notChecked = {};  ///< a sentence about laws; empty where all could be checked
    std::size_t locations = 0;
    std::uint64_t events = 0;
    std::optional<std::uint64_t> lostEvents = {};  ///< nothing: not known
    std::vector<std::string> notes = {};
    /// What the file has in another form than it is written in, such as `processes.end.exitCode`, and, where
    /// the file is of this form, what it lacks; never written. Nothing is known of that.
    std::vector<std::string> damaged = {};
};

inline constexpr const char* kMeasurementFile = "measurement.json";

/// The raw recording of a measurement, `DIR/recording`.
inline std::filesystem::path recordingOf(const std::filesystem::path& directory) {
    return directory / "recording";
}

/// What a recording keeps of its command until `measurement.json` is made.
inline constexpr const char* kCommandFile = "command.json";

/// The text of a recording's `command.json`.
std::string commandText(const Command& command);

/// The text of `measurement.json`: all but the command, of which it takes what the recording says, whatever
/// version of Holos made it.
std::string measurementText(const Measurement& measurement, const std::filesystem::path& recording);

/// Of a recording; what it does not say is left unknown.
Command readCommand(const std::filesystem::path& recording);

/// Of a folder; nothing where no such file can be read, or it says nothing.
std::optional<Measurement> readMeasurement(const std::filesystem::path& folder);
Measurement measurementIn(const nlohmann::json& object);

/// What of a measurement is not known, as its file is damaged: a sentence without a full stop; empty where it
/// is not damaged.
std::string damageText(const Measurement& measurement);
/// Also of a file that cannot be read: `read` is what `readMeasurement` found in the folder. Empty where it
/// has no such file.
std::string damageIn(const std::filesystem::path& folder, const std::optional<Measurement>& read);

/// The id of the run that a folder has the trace or the profile of; empty where it does not say.
std::string recordedRun(const std::filesystem::path& folder);

/// How a run was recorded, by its folder, or by its recording of which the trace is not made yet. Throws
/// `Error` where neither says it, or not in words that are known.
RecordSettings readSettings(const std::filesystem::path& folder);

/// Of a recording; the usual ones where it does not say, or not in words that are known.
RecordSettings settingsOf(const std::filesystem::path& recording);

/// Of the trace that is predicted for a run, whose `recorded` file holds but for times: with the conditions.
std::string predictedText(const std::filesystem::path& recorded, const std::vector<std::string>& conditions);

}  // namespace holos::measurement
