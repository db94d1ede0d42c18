// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// What machines of one kind can do at most, as `holos counters validate --peaks` measured it.
namespace holos::specs {

struct MachinePeaks {
    double operations = 0;  ///< floating-point operations per second, of all processors
    double bandwidth = 0;   ///< bytes per second to and from memory
};

/// What tells kinds of machines apart: `AMD EPYC 7763, 128 processors`. That of this machine.
std::string machineKind();

/// Where the user's peaks are: `holos/peaks` in `XDG_CONFIG_HOME`, or in `.config` of the home folder. Empty
/// where there is neither.
std::filesystem::path peaksFile();

/// Of a kind of machine; nothing where none were stored. Throws `Error` where the file is damaged, or cannot
/// be read.
std::optional<MachinePeaks> storedPeaks(const std::filesystem::path& file, const std::string& kind);

/// Takes the place of earlier ones of that kind, and of what is damaged. Throws `Error` where the file cannot
/// be read or written.
void storePeaks(const std::filesystem::path& file, const std::string& kind, const MachinePeaks& peaks);

}  // namespace holos::specs
