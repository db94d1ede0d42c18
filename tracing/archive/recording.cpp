// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/recording.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "metric-specs/error.h"

namespace holos::archive {
namespace {

namespace fs = std::filesystem;

/// A process's own records are a few kilobytes; a larger file is not one of ours.
constexpr std::uintmax_t kLargestDefinitions = std::uintmax_t{1} << 30;

std::vector<unsigned char> readBytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error("cannot be read", {.file = path.string()});
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void readStatus(RecordedProcess& process) {
    std::ifstream file(process.directory / "status", std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(&process.status), sizeof process.status)) process.status = {};
}

RecordedProcess readProcess(const fs::path& directory) {
    RecordedProcess process;
    process.directory = directory;
    const fs::path definitions = directory / "definitions";
    std::error_code missing;
    const auto size = fs::file_size(definitions, missing);
    if (!missing && size <= kLargestDefinitions) parseDefinitions(readBytes(definitions), process);
    if (process.executable.empty()) process.damage = "its definitions are missing";
    readStatus(process);
    return process;
}

/// `HOST.PID.N` without the number, which counts the programs that a process ran one after another.
std::string processName(const RecordedProcess& process) {
    return process.directory.stem().string();
}
int programNumber(const RecordedProcess& process) {
    const std::string number = process.directory.extension().string();
    return number.size() > 1 ? std::atoi(number.c_str() + 1) : 0;
}

void markReplaced(std::vector<RecordedProcess>& processes) {
    for (auto& one : processes)
        one.replaced = std::any_of(processes.begin(), processes.end(), [&](const RecordedProcess& other) {
            return processName(other) == processName(one) && programNumber(other) > programNumber(one);
        });
}

}  // namespace

bool RecordedProcess::hasEvents() const {
    return std::any_of(locations.begin(), locations.end(), [&](const auto& location) {
        std::error_code missing;
        return fs::file_size(eventFile(location.first), missing) > 0 && !missing;
    });
}

std::vector<RecordedProcess> readRecording(const fs::path& folder) {
    std::error_code error;
    std::vector<RecordedProcess> processes;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_directory()) processes.push_back(readProcess(entry.path()));
    if (error) throw Error("no recording can be read there: " + error.message(), {.file = folder.string()});
    std::sort(processes.begin(), processes.end(), [](const auto& a, const auto& b) {
        const auto begin = [](const RecordedProcess& p) {
            return p.syncs.empty() ? 0 : p.syncs.front().realtime;
        };
        return std::pair(begin(a), a.directory) < std::pair(begin(b), b.directory);
    });
    markReplaced(processes);
    return processes;
}

}  // namespace holos::archive
