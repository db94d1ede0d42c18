// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/left_out.h"

#include <algorithm>

namespace holos::archive {
namespace {

/// `/bin/sed (9), /bin/grep (3)`: those with most processes first.
std::string countPrograms(const std::vector<const RecordedProcess*>& processes) {
    constexpr std::size_t kMostNames = 5;
    std::map<std::string, std::size_t> counts;
    for (const auto* one : processes) ++counts[one->executable.empty() ? "unknown" : one->executable];
    std::vector<std::pair<std::string, std::size_t>> programs(counts.begin(), counts.end());
    std::ranges::stable_sort(programs, [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (std::size_t i = 0; i < programs.size() && i < kMostNames; ++i)
        text += (i == 0 ? "" : ", ") + programs[i].first + " (" + std::to_string(programs[i].second) + ')';
    if (programs.size() > kMostNames)
        text += " and " + std::to_string(programs.size() - kMostNames) + " more programs";
    return text;
}

}  // namespace

std::string programText(const RecordedProcess& process) {
    const std::string program = process.executable.empty() ? "an unknown program" : process.executable;
    const std::string host = process.host.empty() ? "" : " on " + process.host;
    const std::string number =
        process.pid != 0 ? "process " + std::to_string(process.pid) : process.directory.filename().string();
    return program + " (" + number + host + ')';
}

void LeftOut::add(const RecordedProcess& process, const std::string& reason) {
    byReason_[reason].push_back(&process);
}

std::vector<std::string> LeftOut::notes() const {
    std::vector<std::string> notes;
    for (const auto& [reason, processes] : byReason_)
        notes.push_back(processes.size() == 1
                            ? programText(*processes.front()) + " was left out: it " + reason
                            : std::to_string(processes.size()) + " processes were left out: they " + reason +
                                  ": " + countPrograms(processes));
    return notes;
}

}  // namespace holos::archive
