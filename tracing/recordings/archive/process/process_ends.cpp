// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/process_ends.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "tracing/recordings/format/ledger.h"

namespace holos::archive {
namespace {

namespace fs = std::filesystem;

/// A run of a million processes has less; a larger file is not one of ours.
constexpr std::uintmax_t kLargestLedger = std::uintmax_t{1} << 30;

struct EndWord {
    ProcessEnd::How how;
    const char* word;
};
constexpr EndWord kEndWords[] = {
    {ProcessEnd::How::NotKnown, "not known"}, {ProcessEnd::How::Exit, "exit"},
    {ProcessEnd::How::AtOnce, "_exit"},       {ProcessEnd::How::Quickly, "quick_exit"},
    {ProcessEnd::How::Unseen, "unseen exit"}, {ProcessEnd::How::Signal, "signal"},
    {ProcessEnd::How::Replaced, "replaced"},  {ProcessEnd::How::GoesOn, "goes on"}};

std::string exitText(const ProcessEnd& end) {
    const std::string code = end.code ? " with code " + std::to_string(*end.code) : "";
    switch (end.how) {
        case ProcessEnd::How::AtOnce:
            return "called _exit" + code;
        case ProcessEnd::How::Quickly:
            return "called quick_exit" + code;
        case ProcessEnd::How::Unseen:
            return "exited" + code + " by a call that the recorder does not see";
        default:
            return end.code ? "exited" + code : "ended normally";
    }
}

std::optional<ProcessEnd> endIn(std::istream& words) {
    std::int64_t at = 0;
    std::string how;
    int number = 0;
    if (!(words >> at >> how >> number)) return std::nullopt;
    ProcessEnd end;
    end.at = at;
    end.how = how == "signal" ? ProcessEnd::How::Signal : ProcessEnd::How::Unseen;
    (how == "signal" ? end.signal : end.code.emplace()) = number;
    return end;
}

/// Of a line that begins with `what`.
std::optional<LifeRecords::Step> stepIn(const std::string& what, std::istream& words) {
    using Step = LifeRecords::Step;
    static const std::map<std::string, Step::What> kinds{{"command", Step::What::Command},
                                                         {"fork", Step::What::Forked},
                                                         {"exec", Step::What::Execs},
                                                         {"stay", Step::What::Stays},
                                                         {"start", Step::What::Runs}};
    const auto kind = kinds.find(what);
    Step step;
    if (kind == kinds.end() || !(words >> step.parent >> step.at)) return std::nullopt;
    step.what = kind->second;
    std::string word;
    if (step.what == Step::What::Execs) {
        words >> word;
        step.hasRecorder = word != "without";
    } else if (step.what == Step::What::Runs) {
        words >> word;
        step.kind = word == "recorded"   ? static_cast<int>(tracing::StartKind::Recorded)
                    : word == "launcher" ? static_cast<int>(tracing::StartKind::Launcher)
                                         : std::atoi(word.c_str());
    }
    std::getline(words >> std::ws, step.program);
    return step;
}

/// Processes that had the same number one after another: each ends before the next one starts. Of several
/// that waited for one, each may have said that it ended.
void addLives(LifeRecords::Life all, std::vector<ProcessEnd> ends, std::vector<LifeRecords::Life>& lives) {
    std::ranges::stable_sort(all.steps, {}, &LifeRecords::Step::at);
    std::ranges::stable_sort(ends, {}, [](const ProcessEnd& end) { return end.at.value_or(0); });
    auto end = ends.begin();
    LifeRecords::Life one{all.boot, all.process, {}, {}};
    for (LifeRecords::Step& step : all.steps) {
        for (; end != ends.end() && *end->at < step.at; ++end)
            if (!one.steps.empty() && !one.end) one.end = *end;
        if (one.end) {
            lives.push_back(std::move(one));
            one = {all.boot, all.process, {}, {}};
        }
        one.steps.push_back(std::move(step));
    }
    if (end != ends.end()) one.end = *end;
    lives.push_back(std::move(one));
}

}  // namespace

const char* wordOf(ProcessEnd::How how) {
    for (const EndWord& word : kEndWords)
        if (word.how == how) return word.word;
    return "not known";
}

std::string signalName(int signal) {
    const char* const name = ::sigabbrev_np(signal);
    return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::string endText(const ProcessEnd& end, bool several) {
    const std::string were = several ? "were" : "was";
    switch (end.how) {
        case ProcessEnd::How::NotKnown:
            return std::string("did not end normally, and how ") + (several ? "they" : "it") +
                   " ended is not known";
        case ProcessEnd::How::Signal:
            return were + " ended by signal " + std::to_string(end.signal) + " (" + signalName(end.signal) +
                   ')';
        case ProcessEnd::How::Replaced:
            return several ? "became other programs" : "became another program";
        case ProcessEnd::How::GoesOn:
            return "went on";
        default:
            return (end.calledAbort ? "called MPI_Abort and " : "") + exitText(end);
    }
}

LifeRecords::LifeRecords(const fs::path& recording) {
    std::error_code error;
    const std::string prefix = std::string(tracing::kLedgerName) + '.';
    for (const auto& entry : fs::directory_iterator(recording, error)) {
        const std::string name = entry.path().filename().string();
        std::error_code unknown;
        if (!name.starts_with(prefix) || !entry.is_regular_file(unknown)) continue;
        const std::string of = name.substr(prefix.size());
        const std::size_t dot = of.find('.');
        if (entry.file_size(unknown) <= kLargestLedger && !unknown)
            read(entry.path(), {of.substr(0, dot), dot == std::string::npos ? "" : of.substr(dot + 1)});
    }
}

void LifeRecords::read(const fs::path& file, const Numbered& from) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (lines.eof()) break;  // not whole
        std::istringstream words(line);
        std::string what;
        std::uint64_t process = 0;
        if (!(words >> what >> process)) continue;
        if (what == "end") {
            if (const auto end = endIn(words)) {
                ends_[from.boot].emplace(process, End{*end->at, *end});
                endsOf_[from][process].push_back(*end);
            }
        } else if (auto step = stepIn(what, words)) {
            steps_[from][process].push_back(*std::move(step));
        }
    }
}

bool LifeRecords::areOfOneSpace(const std::string& boot) const {
    std::set<std::string> spaces;
    for (const auto& [of, processes] : steps_)
        if (of.boot == boot) spaces.insert(of.space);
    for (const auto& [of, processes] : endsOf_)
        if (of.boot == boot) spaces.insert(of.space);
    return spaces.size() == 1;
}

std::vector<LifeRecords::Life> LifeRecords::lives() const {
    std::vector<Life> lives;
    static const std::map<std::uint64_t, std::vector<ProcessEnd>> none;
    for (const auto& [of, processes] : steps_) {
        const auto known = endsOf_.find(of);
        const auto& endsHere = known != endsOf_.end() ? known->second : none;
        for (const auto& [process, steps] : processes) {
            const auto ends = endsHere.find(process);
            addLives({of.boot, process, steps, {}},
                     ends != endsHere.end() ? ends->second : std::vector<ProcessEnd>(), lives);
        }
    }
    for (const auto& [of, processes] : endsOf_) {
        if (!areOfOneSpace(of.boot)) continue;
        const auto known = steps_.find(of);
        for (const auto& [process, ends] : processes)
            if (known == steps_.end() || !known->second.contains(process))
                lives.push_back({of.boot, process, {}, ends.front()});
    }
    return lives;
}

std::optional<ProcessEnd> LifeRecords::endOf(const std::string& boot, std::uint64_t process,
                                             std::int64_t after) const {
    const auto ofBoot = ends_.find(boot);
    if (ofBoot == ends_.end()) return std::nullopt;
    std::optional<ProcessEnd> first;
    const auto [begin, end] = ofBoot->second.equal_range(process);
    for (auto at = begin; at != end; ++at)
        if (at->second.at >= after && (!first || at->second.at < *first->at)) first = at->second.end;
    return first;
}

void keepCommand(const fs::path& recording, pid_t process, const fs::path& program) noexcept {
    tracing::Ledger ledger;
    ledger.open(recording.c_str());
    ledger.addCommand(process, program.c_str());
}

void keepEnd(const fs::path& recording, pid_t process, int status) noexcept {
    tracing::Ledger ledger;
    ledger.open(recording.c_str());
    ledger.addEnd(process, status);
}

}  // namespace holos::archive
