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

std::optional<char> stateOf(const std::filesystem::path& folder) {
    std::string stat;
    std::getline(std::ifstream(folder / "stat") >> std::ws, stat);
    return stateIn(stat);
}

bool isAsleep(char state) {
    return std::strchr("SD", state) != nullptr;
}

}  // namespace

std::optional<KernelThread> kernelThread(std::uint64_t pid, std::uint64_t thread) {
    const std::filesystem::path folder = "/proc/" + std::to_string(pid) + "/task/" + std::to_string(thread);
    const auto state = stateOf(folder);
    std::ifstream times(folder / "schedstat");
    std::uint64_t on = 0, waiting = 0;
    if (!state || !(times >> on >> waiting)) return std::nullopt;
    return KernelThread{isAsleep(*state), on + waiting};
}

std::optional<KernelThreads> kernelThreads(std::uint64_t pid) {
    KernelThreads threads;
    std::error_code error;
    std::filesystem::directory_iterator thread("/proc/" + std::to_string(pid) + "/task", error);
    for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
        const auto state = stateOf(thread->path());
        if (!state) return std::nullopt;
        ++threads.number;
        threads.allSleep = threads.allSleep && isAsleep(*state);
    }
    return error || threads.number == 0 ? std::nullopt : std::optional(threads);
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
