// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/commit.h"

#include <array>
#include <string_view>
#include <vector>

#include "tracing/archive/many_files.h"
#include "tracing/archive/measurement.h"

namespace holos::archive {
namespace {

constexpr const char* kNewRecording = "recording.new";
constexpr const char* kNewTrace = "traces.new";
constexpr const char* kRemoved = "recording.done.";  ///< start of the name
constexpr std::array kAnalyses{kProfileFile, "analysis.cubex", "snapshot.cubex"};
constexpr const char* kMeasurement = "measurement.json";

/// The last one makes the trace complete, and its removal ends that. Of a run that only added up there are
/// the profile and the measurement alone.
constexpr std::array kFilesOfTrace{"traces", "traces.def", kProfileFile, kMeasurement, "traces.otf2"};

std::vector<fs::path> entriesThatBegin(const fs::path& directory, std::string_view text) {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(directory, none))
        if (entry.path().filename().string().starts_with(text)) found.push_back(entry.path());
    return found;
}

}  // namespace

RunIdentity beginRecording(const fs::path& directory, const Job& job) {
    const Scratch made(directory / kNewRecording);
    RunIdentity run = newRun(job);
    writeRun(made.path(), run);
    fs::rename(made.path(), recordingOf(directory));
    return run;
}

bool hasOnlyProfile(const fs::path& directory) {
    std::error_code none;
    return fs::exists(directory / kProfileFile, none) && !fs::exists(directory / kFilesOfTrace.front(), none);
}

bool hasTraceOf(const fs::path& directory, const std::string& run) {
    return (fs::exists(directory / kFilesOfTrace.back()) || hasOnlyProfile(directory)) &&
           recordedRun(directory) == run;
}

void publishTrace(const fs::path& from, const fs::path& directory) {
    syncAll(from);
    for (const char* name : kFilesOfTrace) {
        removeAll(directory / name);
        if (fs::exists(from / name)) fs::rename(from / name, directory / name);
    }
    sync(directory);
}

void removeRecording(const fs::path& directory) {
    const fs::path recording = recordingOf(directory);
    if (!fs::exists(recording)) return;
    const auto run = readRun(recording);
    const fs::path removed = directory / (kRemoved + (run ? run->id : std::string("unknown")));
    removeAll(removed);
    fs::rename(recording, removed);
    removeAll(removed);
}

void removeTrace(const fs::path& directory) {
    for (auto name = kFilesOfTrace.rbegin(); name != kFilesOfTrace.rend(); ++name)
        removeAll(directory / *name);
    for (const char* name : kAnalyses) fs::remove(directory / name);
}

bool hasLeftovers(const fs::path& directory) {
    for (const char* name : {kNewRecording, kNewTrace})
        if (fs::exists(directory / name)) return true;
    return !entriesThatBegin(directory, kRemoved).empty();
}

void removeLeftovers(const fs::path& directory) {
    for (const char* name : {kNewRecording, kNewTrace}) removeAll(directory / name);
    for (const auto& path : entriesThatBegin(directory, kRemoved)) removeAll(path);
}

Scratch::Scratch(fs::path path) : path_(std::move(path)) {
    removeAll(path_);
    fs::create_directory(path_);
}

Scratch::~Scratch() {
    std::error_code ignored;
    removeAll(path_, ignored);
}

Scratch scratchForTrace(const fs::path& directory) {
    return Scratch(directory / kNewTrace);
}

}  // namespace holos::archive
