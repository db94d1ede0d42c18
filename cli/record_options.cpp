// SPDX-License-Identifier: BSD-3-Clause
#include "cli/record_options.h"

#include <algorithm>

#include "cli/traced_phase.h"
#include "tracing/core/rank_list.h"
#include "tracing/mpi/groups.h"

namespace holos::cli {
namespace {

/// Throws `UsageError` where the part of the run that is asked for cannot be understood.
void checkSelection(const RecordOptions& options) {
    if (!options.ranks.empty() && !tracing::listHasRank(options.ranks, 0))
        throw UsageError("--ranks: expected numbers and ranges such as 0,4-7, not '" + options.ranks + "'");
    if (options.mpi.empty() || tracing::mpi::groupsOf(options.mpi)) return;
    std::string names;
    for (const auto& [name, group] : tracing::mpi::kGroupNames)
        if (group != 0) names += (names.empty() ? "" : ", ") + std::string(name);
    throw UsageError("--mpi: expected some of " + names + ", separated by commas, or none, not '" +
                     options.mpi + "'");
}

void checkBuffer(const RecordOptions& options) {
    constexpr double kMost = 1e9;  // more than any thread has, and still a number of bytes
    if (options.buffer > kMost) throw UsageError("--buffer: expected at most 1000000000 MB");
    if (options.buffer > 0 && options.bufferBytes() == 0)
        throw UsageError("--buffer: expected a byte at least, or 0 for no limit");
    if (options.buffer == 0 && !options.stopsWhenFull())
        throw UsageError("--when-full: needs a limit, --buffer");
}

/// Throws `UsageError` where a profile cannot have what was asked for.
void checkProfile(const RecordOptions& options) {
    if (!options.profile) return;
    const auto refuse = [](const char* option, const char* reason) {
        throw UsageError(std::string("--profile with ") + option + ": " + reason);
    };
    if (!options.sample.empty()) refuse("--sample", "samples are events, which a profile does not keep");
    if (options.buffer > 0) refuse("--buffer", "a profile has no buffer that could be full");
    if (options.first > 0) refuse("--first", "only a trace can stop before the program does");
    if (!options.phase.empty())
        refuse("--phase",
               "a profile is of the whole run; --trace-phase traces a part of it, and 'holos cut' keeps the "
               "call paths of a region");
    if (options.trace && !options.tracePhase.empty())
        refuse("--trace", "--trace-phase makes a trace of some instances, and not of the whole run");
    tracedPhase(options.tracePhase, options.traceShare, "");
}

/// An option that lacks its value takes the next one, or --.
void checkOutput(const RecordOptions& options) {
    if (options.directory.starts_with('-'))
        throw UsageError("--output: expected a folder, not '" + options.directory + "' (write ./" +
                         options.directory + " for one of that name)");
}

void addSelection(Command& command, RecordOptions& options) {
    command.option("--ranks", options.ranks, "Record only these ranks").placeholder("0,4-7");
    command.option("--first", options.first, "Record only the first TIME of the run")
        .placeholder("TIME")
        .duration();
    command
        .option("--phase", options.phase,
                "Record only while a user region of this name is open (holos/holos.h), in all threads of the "
                "process")
        .placeholder("NAME");
    command
        .option("--mpi", options.mpi,
                "Record only these groups of MPI functions: p2p, coll, rma, io, comm, other; or none of them")
        .placeholder("GROUPS");
    const Option buffer =
        command.option("--buffer", options.buffer, "Keep at most MB of events per thread (0: no limit)")
            .placeholder("MB")
            .notNegative();
    command
        .option("--when-full", options.whenFull,
                "When a thread has more events than that: stop recording them, or keep the newest")
        .oneOf({"stop", "newest"})
        .showDefault()
        .needs(buffer);
    command
        .option("--when-disk-low", options.whenDiskLow,
                "When the disk has less room left than the reserve: add up what follows, as --profile does "
                "(profile), or stop recording")
        .oneOf({"profile", "stop"})
        .showDefault();
    command
        .option("--disk-reserve", options.diskReserve,
                "Room to leave on the disk, such as 10G (default: 1G, but no more than a twentieth of the "
                "disk; 0: none)")
        .placeholder("SIZE")
        .bytes();
}

}  // namespace

std::uint64_t RecordOptions::bufferBytes() const {
    constexpr double kMegabyte = 1e6;
    return static_cast<std::uint64_t>(buffer * kMegabyte);
}

std::uint64_t RecordOptions::reserveOn(const std::filesystem::path& folder) const {
    if (diskReserve) return *diskReserve;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
    constexpr std::uint64_t kPart = 20;
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    return error ? 0 : std::min<std::uint64_t>(kMost, space.capacity / kPart);
}

std::int64_t RecordOptions::sampledEvery() const {
    constexpr double kUsual = 100e6;
    return static_cast<std::int64_t>(sampleInterval > 0 ? sampleInterval : kUsual);
}

void check(const RecordOptions& options) {
    checkOutput(options);
    checkSelection(options);
    checkBuffer(options);
    checkProfile(options);
}

void addOptions(Command& command, RecordOptions& options) {
    command.option("-o,--output", options.directory, "Folder for the trace (default: holos-PROGRAM-TIME)")
        .placeholder("DIR");
    command.flag("--force", options.force, "Replace what an earlier recording left in the folder");
    const Option profile = command.flag("--profile", options.profile,
                                        "Add up what happens while the program runs and write profile.cubex "
                                        "instead of a trace: its size does "
                                        "not grow with the length of the run, but it knows no wait states");
    command.flag("--trace", options.trace, "With --profile: make the trace as well").needs(profile);
    const Option phase =
        command
            .option(
                "--trace-phase", options.tracePhase,
                "With --profile: make a trace of some instances of a user region (holos/holos.h) as well, "
                "from number FIRST (1, 2, …) on COUNT of each EVERY; 'holos analyze' estimates the waits of "
                "all of them")
            .placeholder("NAME:FIRST+COUNT/EVERY")
            .needs(profile);
    command
        .option("--trace-share", options.traceShare,
                "Of the region named by --trace-phase NAME: trace this part of its instances, chosen at "
                "random, equally on all processes")
        .placeholder("PERCENT")
        .percent()
        .needs(phase);
    command.flag("--watch", options.watch,
                 "Show what the program does, like 'holos watch'; its own output goes to output.txt in the "
                 "folder and is printed at the end");
    const Option counters = command
                                .option("-c,--counters", options.counters,
                                        "Counters to read, separated by commas: at region boundaries, or "
                                        "periodically if they count for a whole process or node")
                                .placeholder("A,B");
    command
        .option("--counters-async", options.sampleInterval,
                "How often to read the counters of a process or node")
        .placeholder("INTERVAL")
        .duration()
        .showDefault("100ms");
    command
        .option("--refused", options.refused,
                "For scripts: when a counter cannot be counted, write its name and the reason to FILE (JSON)")
        .placeholder("FILE");
    const Option set =
        command.option("--set", options.set, "Name of the specification's measurement set to count")
            .placeholder("NAME")
            .excludes(counters);
    command.option("--spec", options.specification, "Platform specification: a name or a file")
        .placeholder("SPEC")
        .showDefault()
        .needs(set);
    command
        .option("--filter", options.filter,
                "File that says which functions and user regions to leave out, in Score-P's format "
                "(docs/recording.md)")
        .placeholder("FILE");
    command.flag(
        "--compensate", options.compensate,
        "Subtract what reading the counters adds to them (measured as by 'holos counters validate')");
    command.flag("--multiplex", options.multiplex,
                 "Multiplex when there are more perf events than hardware counters (values are estimates)");
    command
        .option("--sample", options.sample,
                "Sample the call stack of each thread: whenever it has run for TIME, or after every PERIOD "
                "occurrences of a perf event")
        .placeholder("TIME|EVENT:PERIOD");
    command
        .option("--call-paths", options.callPaths,
                "Record which calls led to each event: all of them (full), only the function and line that "
                "called MPI, OpenMP or the like (sites), or none")
        .oneOf({"full", "sites", "none"})
        .showDefault();
    command
        .option("--polls", options.polls,
                "Record a series of calls that find nothing, such as MPI_Test in a loop, as one event with "
                "their number and time (thin), or each call")
        .oneOf({"thin", "each"})
        .showDefault();
    command
        .option(
            "--locks", options.locks,
            "Locks of OpenMP that are set and unset from the same places again and again, and that nobody "
            "waits for: record them as one with their number and time (thin), or each of them")
        .oneOf({"thin", "each"})
        .showDefault();
    command
        .option("--openmp-runtime", options.openMpRuntime,
                "OpenMP runtime for programs compiled by gcc: gcc's own, or llvm's, which reports more of "
                "what it does")
        .oneOf({"own", "llvm"})
        .showDefault();
    command
        .option("--clock-offsets-every", options.clockOffsetsEvery,
                "Compare the clocks of all processes about this often during the run, in collective "
                "operations on MPI_COMM_WORLD")
        .placeholder("TIME")
        .duration();
    command
        .option("--write-back", options.writeBack,
                "Write recorded events to the disk or file server about this often; a node that is lost "
                "loses no more than that")
        .placeholder("TIME")
        .duration();
    command
        .option("--throttle", options.throttle,
                "Stop recording a short function compiled by `holos cc` after this many calls (0: never)")
        .placeholder("CALLS")
        .showDefault();
    command
        .option("--throttle-below", options.throttleBelow,
                "A function is short if it takes less than this on average")
        .placeholder("MICROSECONDS")
        .notNegative()
        .showDefault();
    addSelection(command, options);
}

}  // namespace holos::cli
