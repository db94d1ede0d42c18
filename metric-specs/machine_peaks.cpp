// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/machine_peaks.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "base/output_file.h"
#include "metric-specs/processor.h"

namespace holos::specs {
namespace {

namespace fs = std::filesystem;

/// Lines `OPERATIONS BANDWIDTH KIND`; others are nobody's.
std::map<std::string, MachinePeaks> peaksIn(const fs::path& file) {
    std::map<std::string, MachinePeaks> all;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        MachinePeaks peaks;
        std::string kind;
        words >> peaks.operations >> peaks.bandwidth >> std::ws;
        std::getline(words, kind);
        if (peaks.operations > 0 && peaks.bandwidth > 0 && !kind.empty()) all[kind] = peaks;
    }
    return all;
}

fs::path folderOf(const char* variable) {
    const char* const folder = std::getenv(variable);
    return folder != nullptr && *folder == '/' ? fs::path(folder) : fs::path();
}

}  // namespace

std::string machineKind() {
    const std::string name = thisProcessor().name;
    return (name.empty() ? "unknown processor" : name) + ", " +
           std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)) + " processors";
}

fs::path peaksFile() {
    if (const fs::path folder = folderOf("XDG_CONFIG_HOME"); !folder.empty())
        return folder / "holos" / "peaks";
    const fs::path home = folderOf("HOME");
    return home.empty() ? fs::path() : home / ".config" / "holos" / "peaks";
}

std::optional<MachinePeaks> storedPeaks(const fs::path& file, const std::string& kind) {
    const auto all = peaksIn(file);
    const auto found = all.find(kind);
    return found != all.end() ? std::optional(found->second) : std::nullopt;
}

void storePeaks(const fs::path& file, const std::string& kind, const MachinePeaks& peaks) {
    auto all = peaksIn(file);
    all[kind] = peaks;
    std::ostringstream text;
    for (const auto& [name, one] : all) text << one.operations << ' ' << one.bandwidth << ' ' << name << '\n';
    std::error_code trouble;
    fs::create_directories(file.parent_path(), trouble);
    if (trouble) throw Error("cannot be made: " + trouble.message(), {.file = file.parent_path().string()});
    writeFile(file, text.str());
}

}  // namespace holos::specs
