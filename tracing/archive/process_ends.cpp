// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/process_ends.h"

#include <cstring>
#include <fstream>
#include <sstream>

#include "tracing/core/ledger.h"

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
            return end.code ? "exited" + code : "ended in order";
    }
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

std::string describe(const ProcessEnd& end) {
    switch (end.how) {
        case ProcessEnd::How::NotKnown:
            return "did not end in order, and how it ended is not known";
        case ProcessEnd::How::Signal:
            return "was ended by signal " + std::to_string(end.signal) + " (" + signalName(end.signal) + ')';
        case ProcessEnd::How::Replaced:
            return "became another program";
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
        if (entry.file_size(unknown) <= kLargestLedger && !unknown)
            read(entry.path(), name.substr(prefix.size()));
    }
}

void LifeRecords::read(const fs::path& file, const std::string& boot) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (lines.eof()) break;  // not whole
        std::istringstream words(line);
        std::string what;
        words >> what;
        if (what == "end") {
            std::uint64_t process = 0;
            End one;
            std::string how;
            int number = 0;
            if (!(words >> process >> one.at >> how >> number)) continue;
            one.end.at = one.at;
            one.end.how = how == "signal" ? ProcessEnd::How::Signal : ProcessEnd::How::Unseen;
            (how == "signal" ? one.end.signal : one.end.code.emplace()) = number;
            ends_[boot].emplace(process, one);
        } else if (what == "start" || what == "fork") {
            Start one;
            if (!(words >> one.process >> one.parent >> one.at)) continue;
            if (what == "start") {
                std::string kind;
                words >> kind;
                one.kind = kind == "recorded"   ? static_cast<int>(tracing::StartKind::Recorded)
                           : kind == "launcher" ? static_cast<int>(tracing::StartKind::Launcher)
                                                : std::atoi(kind.c_str());
                std::getline(words >> std::ws, one.program);
            }
            starts_[boot].push_back(std::move(one));
        }
    }
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

void keepEnd(const fs::path& recording, pid_t process, int status) noexcept {
    tracing::Ledger ledger;
    ledger.open(recording.c_str());
    ledger.addEnd(process, status);
}

}  // namespace holos::archive
