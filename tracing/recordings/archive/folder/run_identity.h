// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tracing/recordings/archive/folder/measurement_folder.h"

/// Which run a recording is of.
namespace holos::archive {

/// 128 random bits, as hexadecimal digits. Throws `Error`.
std::string newRunId();

/// Whether a text is an id of a run.
bool isRunId(const std::string& text);

/// What a `holos record` command knows of the job that it belongs to.
struct Job {
    std::string name;       ///< equal for all commands of the job; empty where there is no launcher
    bool isUnique = false;  ///< no other job has this name, at any time on any machine
    std::string boot;       ///< of the running kernel
    std::string origin;     ///< who started the commands of the job on this kernel
};

/// Kept in the recording.
struct RunIdentity {
    std::string id;                              ///< 128 random bits
    std::string job;                             ///< its name
    std::map<std::string, std::string> origins;  ///< by kernel
};

/// With a new id.
RunIdentity newRun(const Job& job);

/// Whether a command of this job belongs to the run: the same name of a job and, where that may come again,
/// the same origin on its kernel.
bool belongs(const Job& job, const RunIdentity& run);

/// Of a recording; nothing where it does not say.
std::optional<RunIdentity> readRun(const fs::path& recording);

/// Atomically. Throws `Error`.
void writeRun(const fs::path& recording, const RunIdentity& run);

}  // namespace holos::archive
