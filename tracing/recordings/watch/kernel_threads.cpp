// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/kernel_threads.h"

#include <cstring>
#include <fstream>
#include <string>

#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/format/process_identity.h"

namespace holos::watch {
namespace {

/// `PID (NAME) STATE …`, where a name may have brackets.
std::optional<char> stateIn(const std::string& stat) {
    const std::size_t bracket = stat.rfind(')');
    return bracket != std::string::npos && bracket + 2 < stat.size() ? std::optional(stat[bracket + 2])
                                                                     : std::nullopt;
}

}  // namespace

std::optional<KernelThread> kernelThread(std::uint64_t pid, std::uint64_t thread) {
    const std::string folder = "/proc/" + std::to_string(pid) + "/task/" + std::to_string(thread) + '/';
    std::string stat;
    std::getline(std::ifstream(folder + "stat") >> std::ws, stat);
    const auto state = stateIn(stat);
    std::ifstream times(folder + "schedstat");
    std::uint64_t on = 0, waiting = 0;
    if (!state || !(times >> on >> waiting)) return std::nullopt;
    return KernelThread{std::strchr("SD", *state) != nullptr, on + waiting};
}

std::optional<std::uint64_t> pidHere(const std::filesystem::path& folder) {
    static const tracing::ProcessIdentity self = tracing::thisProcess();
    const auto note = archive::readNote(folder / archive::kNoteOfProcess);
    const bool isHere = note && !note->boot.empty() && note->boot == self.boot && note->startTime != 0 &&
                        note->pidNamespace == self.pidNamespace &&
                        tracing::startTimeOf(note->pid) == note->startTime;
    return isHere ? std::optional(note->pid) : std::nullopt;
}

}  // namespace holos::watch
