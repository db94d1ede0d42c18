// SPDX-License-Identifier: BSD-3-Clause
#include "cli/record/record_parts.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/choice.h"

namespace holos::cli {
namespace {

/// An option that takes one of the words of its choice.
template <class Choice>
Option addWords(Command& command, const std::string& name, Choice& value, const std::string& help) {
    std::vector<std::pair<std::string, Choice>> choices;
    for (const auto& [word, choice] : archive::kWordsOf<Choice>) choices.emplace_back(word, choice);
    return addChoice(command, name, value, choices, help).showDefault(archive::wordOf(value));
}

void addSelection(Command& command, launch::RecordRequest& request) {
    command.option("--ranks 0,4-7", request.ranks, "Record only these ranks");
    command.option("--first TIME", request.first, "Record only the first TIME of the run").duration();
    command.option(
        "--phase NAME", request.phase,
        "Record only while a user region of this name is open (holos/holos.h), in all threads of the "
        "process");
    command.option("--mpi GROUPS", request.mpi,
                   "Record only these groups of MPI functions: p2p, coll, rma, io, comm, other; or 'none'");
    const Option buffer =
        command.option("--buffer MB", request.buffer, "Keep at most MB of events per thread (0: no limit)")
            .megabytes();
    addWords(command, "--when-full", request.whenFull,
             "When a thread has more events than --buffer allows: stop recording them, or keep the newest")
        .needs(buffer);
    addWords(command, "--when-disk-low", request.whenDiskLow,
             "When less room than --disk-reserve is left: add up what follows, as --profile does "
             "(profile), or stop recording");
    command
        .option("--disk-reserve SIZE", request.diskReserve,
                "Room to leave on the disk, such as 10G (default: 1G, but no more than a twentieth of the "
                "disk; 0: none)")
        .bytes();
}

}  // namespace

void repeatSettings(launch::RecordRequest& request, const Command& command) {
    if (request.like.empty()) return;
    const archive::RecordSettings known = archive::readSettings(request.like);
    std::set<std::string> given;
    for (const auto& [name, value] : command.given()) given.insert(name);
    // Which counters are read is decided by one of the two.
    if (given.contains("counters")) given.insert("set");
    if (given.contains("set")) given.insert("counters");
    archive::RecordSettings& own = request;
    archive::forEachRecordSetting([&](const char* name, auto member) {
        if (!given.contains(name)) own.*member = known.*member;
    });
}

void addOptions(Command& command, launch::RecordRequest& request) {
    command.option("-o,--output DIR", request.directory, "Folder for the trace (default: holos-PROGRAM-TIME)")
        .onlyOnCommandLine();
    command.flag("--force", request.force, "Replace what an earlier recording left in the folder")
        .onlyOnCommandLine();
    command.flag(
        "--keep-command", request.keepCommand,
        "Keep command lines as they are: by default, passwords, tokens and the like are replaced by *** "
        "where the result says what was run");
    command
        .option("--like DIR", request.like,
                "Record as the run in this folder was recorded; options that are given beside it win")
        .onlyOnCommandLine();
    command.option(
        "--attach PID,PID", request.attach,
        "Record processes that run already, and all that they start, from outside: samples (one every "
        "10ms, unless --sample or --counters say otherwise) and counters, until they end, Ctrl-C is "
        "pressed, or the command after -- ends; SIGUSR1 pauses the recording, SIGUSR2 resumes it");
    const Option profile = command.flag("--profile", request.profile,
                                        "Add up what happens while the program runs and write profile.cubex "
                                        "instead of a trace: its size does "
                                        "not grow with the length of the run, but it knows no wait states");
    command.flag("--trace", request.trace, "With --profile: make the trace as well").needs(profile);
    const Option phase =
        command
            .option("--trace-phase NAME:FIRST+COUNT/EVERY", request.tracePhase,
                    "With --profile: make a trace of some instances of a user region (holos/holos.h) as "
                    "well: COUNT of them from number FIRST on (the first is 1), and again after every EVERY; "
                    "'holos analyze' estimates the waits of all instances")
            .needs(profile);
    command
        .option("--trace-share PERCENT", request.traceShare,
                "Of the region named by --trace-phase NAME: trace this part of its instances, chosen at "
                "random, equally on all processes")
        .percent()
        .needs(phase);
    command.flag("--watch", request.watch,
                 "Show what the program does, like 'holos watch'; its own output goes to output.txt in the "
                 "folder (output-2.txt and so on where that is there) and is printed at the end");
    const Option counters = command.option("-c,--counters A,B", request.counters,
                                           "Counters to read, separated by commas: at region boundaries, or "
                                           "periodically if they count for a whole process or node");
    command
        .option("--counters-async INTERVAL", request.sampleInterval,
                "How often to read the counters of a process or node")
        .duration()
        .showDefault("100ms");
    command
        .option("--refused FILE", request.refused,
                "For scripts: when a counter cannot be counted, write its name and the reason to FILE (JSON)")
        .onlyOnCommandLine();
    const Option set =
        command.option("--set NAME", request.set, "Name of the specification's measurement set to count")
            .excludes(counters);
    command.option("--spec SPEC", request.specification, "Platform specification: a name or a file")
        .showDefault()
        .needs(set);
    command.option("--filter FILE", request.filter,
                   "File that says which functions and user regions to leave out, in Score-P's format "
                   "(docs/functions.md)");
    command.flag(
        "--compensate", request.compensate,
        "Subtract what reading the counters adds to them (measured as by 'holos counters validate')");
    command.flag("--multiplex", request.multiplex,
                 "Multiplex when there are more perf events than hardware counters (values are estimates)");
    command.option(
        "--sample TIME|EVENT:PERIOD", request.sample,
        "Sample the call stack of each thread: whenever it has run for TIME, or after every PERIOD "
        "occurrences of a perf event; memory:PERIOD samples one of every PERIOD accesses to memory, "
        "with the place of its data");
    addWords(command, "--call-paths", request.callPaths,
             "Record which calls led to each event: all of them (full), only the function and line that "
             "called MPI, OpenMP or the like (sites), or none");
    addWords(command, "--polls", request.polls,
             "Record a series of calls that find nothing, such as MPI_Test in a loop, as one event with "
             "their number and time (thin), or each call");
    addWords(command, "--locks", request.locks,
             "Record OpenMP locks and critical sections that are entered and left at the same places again "
             "and "
             "again, and that nobody waits for, as one event with their number and time (thin), or each of "
             "them");
    addWords(command, "--openmp-runtime", request.openMpRuntime,
             "OpenMP runtime for programs compiled by gcc: gcc's own, or llvm's, which reports more of "
             "what it does");
    command
        .option("--clock-offsets-every TIME", request.clockOffsetsEvery,
                "Compare the clocks of all processes about this often during the run, in collective "
                "operations on MPI_COMM_WORLD")
        .duration();
    command
        .option("--write-back TIME", request.writeBack,
                "Write recorded events to the disk or file server about this often; a node that is lost "
                "loses no more than that")
        .duration();
    command
        .option("--throttle CALLS", request.throttle,
                "For functions compiled by 'holos cc': after this many calls, stop recording a function "
                "whose calls are short (0: never)")
        .showDefault();
    command
        .option("--throttle-below MICROSECONDS", request.throttleBelow,
                "For --throttle: calls are short if they take less than this on average")
        .notNegative()
        .showDefault();
    addSelection(command, request);
}

}  // namespace holos::cli
