// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/recording.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "metric-specs/error.h"
#include "tracing/archive/unification.h"

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
    std::map<std::string, int> last;  // number of the program that a process ran at the end
    for (const auto& one : processes) {
        int& number = last[processName(one)];
        number = std::max(number, programNumber(one));
    }
    for (auto& one : processes) one.replaced = programNumber(one) < last[processName(one)];
}

/// `HOST.PID.N` of each, in the order of their names, which does not depend on the file system.
std::vector<fs::path> processFolders(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_directory() && entry.path().has_extension()) folders.push_back(entry.path());
    if (error) throw Error("no recording can be read there: " + error.message(), {.file = folder.string()});
    std::sort(folders.begin(), folders.end());
    return folders;
}

}  // namespace

bool RecordedProcess::hasEvents() const {
    return std::any_of(locations.begin(), locations.end(), [&](const auto& location) {
        std::error_code missing;
        return fs::file_size(eventFile(location.first), missing) > 0 && !missing;
    });
}

Recording readRecording(const fs::path& folder) {
    const auto folders = processFolders(folder);
    Recording recording =
        unify(folders.size(), [&folders](std::size_t i) { return readProcess(folders[i]); });
    auto& processes = recording.processes;
    std::stable_sort(processes.begin(), processes.end(), [](const auto& a, const auto& b) {
        const auto begin = [](const RecordedProcess& p) {
            return p.syncs.empty() ? 0 : p.syncs.front().realtime;
        };
        return begin(a) < begin(b);
    });
    markReplaced(processes);
    return recording;
}

}  // namespace holos::archive
