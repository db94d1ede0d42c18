// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/machine_peaks.h"

#include <unistd.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "metric-specs/processor.h"

namespace holos::specs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargest = std::uint64_t{1} << 20;

struct PeaksFile {
    std::map<std::string, MachinePeaks> all;    ///< by kind of machine
    std::optional<std::uint64_t> damaged = {};  ///< the first line that no peaks are read from
};

/// Lines `OPERATIONS BANDWIDTH KIND`. There is at least one, and each of them ends.
PeaksFile readPeaks(const fs::path& file) {
    std::error_code trouble;
    if (fs::status(file, trouble).type() == fs::file_type::not_found) return {};
    const std::string text = readText(file, kLargest, "the peaks of 'holos counters validate --peaks'");
    PeaksFile peaks;
    std::istringstream in(text);
    std::uint64_t number = 0;
    for (std::string line; std::getline(in, line) || number == 0;) {
        ++number;
        std::istringstream words(line);
        MachinePeaks one;
        std::string kind;
        words >> one.operations >> one.bandwidth >> std::ws;
        std::getline(words, kind);
        const bool isWhole = !in.eof() && one.operations > 0 && one.bandwidth > 0 && !kind.empty();
        if (isWhole)
            peaks.all[kind] = one;
        else if (!peaks.damaged)
            peaks.damaged = number;
    }
    return peaks;
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
    const PeaksFile peaks = readPeaks(file);
    if (peaks.damaged)
        throw Error("is damaged; 'holos counters validate --peaks' measures the peaks again",
                    {.file = file.string(), .line = peaks.damaged});
    const auto found = peaks.all.find(kind);
    return found != peaks.all.end() ? std::optional(found->second) : std::nullopt;
}

void storePeaks(const fs::path& file, const std::string& kind, const MachinePeaks& peaks) {
    auto all = readPeaks(file).all;
    all[kind] = peaks;
    std::ostringstream text;
    for (const auto& [name, one] : all) text << one.operations << ' ' << one.bandwidth << ' ' << name << '\n';
    std::error_code trouble;
    fs::create_directories(file.parent_path(), trouble);
    if (trouble) throw Error("cannot be made: " + trouble.message(), {.file = file.parent_path().string()});
    writeFile(file, text.str());
}

}  // namespace holos::specs
