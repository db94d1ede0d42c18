// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string_view>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Profiles of other tools as experiments. All readers throw `holos::Error`, with the place in the file, for
/// what a file cannot be.
using ForeignReader = Experiment (*)(const std::filesystem::path& file);

/// The reader of a file, by how it begins; null for what is none of these.
ForeignReader foreignReaderOf(const std::filesystem::path& file);

/// Valgrind's callgrind.out: each function with its own cost by event. The graph of calls has no paths, so
/// none are made.
Experiment readCallgrind(const std::filesystem::path& file);

/// Output of `perf script`: samples and their events' periods by call path and thread. Events that count time
/// are seconds.
Experiment readPerfScript(const std::filesystem::path& file);
/// Whether this is the first line of a sample as `perf script` prints it.
bool isPerfSample(std::string_view line);

/// Folded stacks (`main;solve;dot 42`), as flame graph tools have them: `samples` by call path.
Experiment readFolded(const std::filesystem::path& file);

/// TAU's profile.N.C.T: this file and all others of its folder, and of the folders MULTI__… beside it. Call
/// paths where TAU measured them, otherwise one for each timer; atomic events have their number and sum.
Experiment readTau(const std::filesystem::path& file);

/// What gprof prints: the flat profile, each function with its own processor time and its calls. Its graph of
/// calls has no paths.
Experiment readGprof(const std::filesystem::path& file);

/// A report of mpiP: call sites of MPI by task, and what tasks do outside of MPI.
Experiment readMpip(const std::filesystem::path& file);

/// Caliper's `json-split`.
Experiment readCaliper(const std::filesystem::path& file);

/// Trace events of Chromium, PyTorch (Kineto) and others: time and visits of nested calls by thread.
Experiment readTraceEvents(const std::filesystem::path& file);

}  // namespace holos::algebra
