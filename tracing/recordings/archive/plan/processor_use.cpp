// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/processor_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/text.h"

namespace holos::archive {
namespace {

std::int64_t sumOf(const std::vector<RecordedProcess>& processes) {
    return std::accumulate(processes.begin(), processes.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& one) { return sum + onProcessors(one); });
}

struct ProgramUse {
    std::size_t processes = 0;
    std::int64_t time = 0;
};

/// `se (0.902 s of processor time)`, `sed (9 processes, 1.2 s of processor time)`
std::string programUseText(const std::string& program, const ProgramUse& use) {
    constexpr double kSecond = 1e9;
    const std::string processes = use.processes == 1 ? "" : counted(use.processes, "process") + ", ";
    return fmt::format("{} ({}{:.3g} s of processor time)", program.empty() ? "an unknown program" : program,
                       processes, static_cast<double>(use.time) / kSecond);
}

}  // namespace

std::int64_t onProcessors(const RecordedProcess& process) {
    if (process.processTimes.size() < 2) return 0;
    return process.processTimes.back().onProcessors - process.processTimes.front().onProcessors;
}

std::int64_t muchOf(const std::vector<RecordedProcess>& all) {
    constexpr std::int64_t kShare = 10;  // the reciprocal of what is much
    constexpr std::int64_t kLeast = 100'000'000;
    return std::max(kLeast, sumOf(all) / kShare);
}

std::string programsLeftOut(const TracePlan& plan, const std::vector<RecordedProcess>& processes) {
    constexpr std::int64_t kShare = 100;  // the reciprocal of what is worth a sentence
    constexpr std::size_t kMostNamed = 3;
    std::map<std::string, ProgramUse> byProgram;
    std::set<const RecordedProcess*> chosen;
    for (const TraceProcess& process : plan.processes) chosen.insert(process.recorded);
    for (const RecordedProcess& process : processes) {
        if (chosen.contains(&process)) continue;
        ProgramUse& use = byProgram[std::filesystem::path(process.executable).filename().string()];
        ++use.processes;
        use.time += onProcessors(process);
    }
    const std::int64_t least = sumOf(processes) / kShare;
    std::erase_if(byProgram, [&](const auto& one) { return one.second.time <= least; });
    if (byProgram.empty()) return {};
    std::vector<std::pair<std::string, ProgramUse>> programs(byProgram.begin(), byProgram.end());
    std::ranges::stable_sort(programs, std::ranges::greater(),
                             [](const auto& one) { return one.second.time; });
    std::vector<std::string> texts;
    for (const auto& [program, use] : programs) texts.push_back(programUseText(program, use));
    if (texts.size() > kMostNamed) {
        const std::size_t more = texts.size() - kMostNamed;
        texts.resize(kMostNamed);
        texts.push_back(counted(more, "more program"));
    }
    return "Of the recorded programs not in this: " + holos::listOf(texts);
}

}  // namespace holos::archive
