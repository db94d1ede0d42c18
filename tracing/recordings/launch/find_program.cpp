// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/find_program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "tracing/recordings/archive/process/loading.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;

bool isExecutable(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// The path itself, or the first one in PATH; empty where there is none.
fs::path search(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        if (isExecutable(candidate)) return candidate;
    }
    return {};
}

/// The program that a script's first line names; empty where there is no such line.
std::string interpreterOf(const fs::path& script) {
    std::ifstream file(script, std::ios::binary);
    std::string line;
    if (file.get() != '#' || file.get() != '!' || !std::getline(file, line)) return "";
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

void checkScript(const fs::path& path) {
    std::string interpreter = interpreterOf(path);
    if (interpreter.empty() || fs::exists(interpreter)) return;
    const bool isOfWindows = interpreter.back() == '\r';
    if (isOfWindows) interpreter.pop_back();
    throw Error("its first line asks for " + interpreter +
                    (isOfWindows ? " and ends with a carriage return, as on Windows: remove that"
                                 : ", which does not exist"),
                {.file = path.string()});
}

/// `mpirun.openmpi`, too.
bool isLauncher(const fs::path& program) {
    const std::string name = program.filename().string();
    constexpr const char* kLaunchers[] = {"mpirun", "mpiexec", "orterun", "prun", "prterun", "srun"};
    return std::ranges::find(kLaunchers, name.substr(0, name.find('.'))) != std::end(kLaunchers);
}

void checkLoadable(const fs::path& path) {
    if (!archive::isMachineCode(path)) return checkScript(path);
    if (const std::string reason = archive::whyNotLoaded(path); !reason.empty())
        throw Error(reason, {.file = path.string()});
}

}  // namespace

fs::path findProgram(const std::string& name) {
    const fs::path path = search(name);
    if (path.empty())
        throw Error(name + ": no such program in PATH (for one in this folder, write ./" + name + ')');
    if (!fs::exists(path)) throw Error("no such program", {.file = name});
    if (fs::is_directory(path)) throw Error("is a folder, not a program", {.file = name});
    if (!isExecutable(path)) throw Error("is not executable (chmod +x makes it so)", {.file = name});
    checkLoadable(path);
    return path;
}

void checkLaunchedPrograms(std::span<const std::string> command) {
    if (!isLauncher(command.front())) return;
    for (const std::string& word : command.subspan(1)) {
        const fs::path path = search(word);
        if (!isExecutable(path)) continue;
        if (const std::string reason = archive::whyItFailsWithRecorder(path); !reason.empty())
            throw Error(reason, {.file = path.string()});
    }
}

}  // namespace holos::launch
