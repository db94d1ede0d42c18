// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/living.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/input_file.h"
#include "tracing/recordings/format/process_identity.h"

namespace holos::archive {

std::optional<tracing::Status> readStatus(const std::filesystem::path& folder) {
    tracing::Status status{};
    const Descriptor file = openRegular(folder / "status");
    const bool isRead = file && readAt(file, &status, sizeof status, 0) == sizeof status;
    return isRead && status.isThere != 0 ? std::optional(status) : std::nullopt;
}

namespace {

bool isLockedNow(const fs::path& path) {
    const Descriptor file = openRegular(path);
    return file && tracing::core::hasWriteLock(file.number());
}

/// The folder `HOST.PID.N` has a next one of the same process, with the program that followed.
bool wasReplaced(const fs::path& folder) {
    const int number = std::atoi(folder.extension().string().substr(1).c_str());
    fs::path next = folder;
    const auto later = readNote(next.replace_extension(std::to_string(number + 1)) / kNoteOfProcess);
    const auto own = later ? readNote(folder / kNoteOfProcess) : std::nullopt;
    return own && own->boot == later->boot && own->pidNamespace == later->pidNamespace &&
           own->startTime == later->startTime && own->startTime != 0;
}

fs::path commandsOf(const fs::path& recording) {
    return recording / "commands";
}
fs::path noteOfCommand(const fs::path& recording, long rank) {
    return commandsOf(recording) / (rank < 0 ? "alone" : std::to_string(rank));
}

/// `0.8 s`
std::string seconds(std::chrono::milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
    return text;
}

std::uint64_t numberIn(const std::map<std::string, std::string>& lines, const char* word) {
    const auto found = lines.find(word);
    return found != lines.end() ? std::strtoull(found->second.c_str(), nullptr, 10) : 0;
}
std::string textBehind(const std::map<std::string, std::string>& lines, const char* word) {
    const auto found = lines.find(word);
    return found != lines.end() ? found->second : std::string();
}

}  // namespace

std::optional<std::string> readNoteText(const fs::path& path) try {
    constexpr std::uint64_t kLargest = 4096;
    return readText(path, kLargest, "the note of a process");
} catch (const Error&) {
    return std::nullopt;
}

std::optional<ProcessNote> readNote(const fs::path& path) {
    const auto text = readNoteText(path);
    return text ? std::optional(noteIn(*text, path)) : std::nullopt;
}

ProcessNote noteIn(const std::string& text, const fs::path& path) {
    std::istringstream file(text);
    std::map<std::string, std::string> lines;
    for (std::string line; std::getline(file, line);)
        if (const auto blank = line.find(' '); blank != std::string::npos)
            lines.try_emplace(line.substr(0, blank), line.substr(blank + 1));
    const std::string rank = textBehind(lines, "rank");
    return ProcessNote{textBehind(lines, "run"),
                       textBehind(lines, "host"),
                       textBehind(lines, "boot"),
                       numberIn(lines, "namespace"),
                       numberIn(lines, "process"),
                       numberIn(lines, "start"),
                       rank.empty() ? -1 : std::atol(rank.c_str()),
                       numberIn(lines, "locked") != 0,
                       numberIn(lines, "ended") != 0,
                       path};
}

Life lifeOf(const fs::path& path) {
    const auto note = readNote(path);
    if (!note || note->hasEnded) return Life::Ended;
    if (isLockedNow(path)) return Life::Living;
    static const tracing::ProcessIdentity self = tracing::thisProcess();  // of thousands of notes, asked once
    if (note->boot.empty() || note->boot != self.boot) return Life::Unknown;
    if (note->isLocked) return Life::Ended;
    if (note->pidNamespace != self.pidNamespace || note->startTime == 0) return Life::Unknown;
    return tracing::startTimeOf(note->pid) == note->startTime ? Life::Living : Life::Ended;
}

Life lifeOfRecorded(const fs::path& folder) {
    if (const auto status = readStatus(folder); status && status->ended != 0) return Life::Ended;
    const Life life = lifeOf(folder / kNoteOfProcess);
    return life == Life::Unknown && wasReplaced(folder) ? Life::Ended : life;
}

std::vector<fs::path> processFolders(const fs::path& recording) {
    std::error_code error;
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(recording, error))
        if (entry.is_directory() && entry.path().has_extension()) folders.push_back(entry.path());
    if (error)
        throw Error("no recording can be read there: " + error.message(), {.file = recording.string()});
    std::ranges::sort(folders);
    return folders;
}

Owners ownersOf(const fs::path& recording) {
    Owners owners;
    for (const auto& folder : processFolders(recording)) {
        const Life life = lifeOfRecorded(folder);
        if (life == Life::Ended) continue;
        auto& list = life == Life::Living ? owners.living : owners.unknown;
        list.push_back(readNote(folder / kNoteOfProcess).value_or(ProcessNote{}));
    }
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(commandsOf(recording), none)) {
        const Life life = lifeOf(entry.path());
        if (life == Life::Ended) continue;
        auto& list = life == Life::Living ? owners.commands : owners.unknownCommands;
        list.push_back(readNote(entry.path()).value_or(ProcessNote{}));
    }
    return owners;
}

std::string processesText(const std::vector<ProcessNote>& processes) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t i = 0; i < processes.size() && i < kMost; ++i) {
        const ProcessNote& one = processes[i];
        const bool isNamed = one.pid != 0 || !one.host.empty();  // else its note was lost
        const std::string process = isNamed ? "process " + std::to_string(one.pid) + " on " + one.host
                                            : std::string("a process that is not known");
        if (!text.empty()) text += ", ";
        text += one.rank >= 0 ? "rank " + std::to_string(one.rank) + " (" + process + ')' : process;
        if (one.seen) text += " (seen " + seconds(*one.seen) + " ago)";
    }
    if (processes.size() > kMost) text += " and " + std::to_string(processes.size() - kMost) + " more";
    return text;
}

std::string ownersText(const Owners& owners) {
    std::string text;
    const auto add = [&text](const char* what, const std::vector<ProcessNote>& processes) {
        if (!processes.empty()) text += (text.empty() ? "" : "; ") + (what + processesText(processes));
    };
    add("", owners.living);
    add("the command 'holos record' of ", owners.commands);
    add("it is not known here whether these live: ", owners.unknown);
    add("nor whether the command 'holos record' does of ", owners.unknownCommands);
    return text;
}

LivingCommand::LivingCommand(const fs::path& recording, long rank, const std::string& run) {
    fs::create_directories(commandsOf(recording));
    const fs::path path = noteOfCommand(recording, rank);
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file_ < 0) throw Error(std::strerror(errno), {.file = path.string()});
    const bool isLocked = tracing::core::takeWriteLock(file_);
    char text[512];
    const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, run.c_str(), rank, isLocked);
    if (::write(file_, text, bytes) != static_cast<ssize_t>(bytes)) {
        const int error = errno;
        ::close(file_);
        throw Error("cannot be written: " + std::string(std::strerror(error)), {.file = path.string()});
    }
}

LivingCommand::~LivingCommand() {
    end();
}

/// Other machines may not see that the lock goes.
void LivingCommand::end() noexcept {
    if (file_ < 0) return;
    constexpr std::string_view kEnded = "ended 1\n";
    [[maybe_unused]] const ssize_t written = ::write(file_, kEnded.data(), kEnded.size());
    ::close(std::exchange(file_, -1));
}

LivingCommand::LivingCommand(LivingCommand&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

bool LivingCommand::existed(const fs::path& recording, long rank) {
    return fs::exists(noteOfCommand(recording, rank));
}

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks{100};
/// Between two signs of a process, and how long one may be on its way.
constexpr milliseconds kBetweenSigns{3000};

/// A process, and what was seen of it.
struct Heard {
    ProcessNote note;
    Sign first;
    std::optional<Clock::time_point> lastChange = {};
};

class Listener {
  public:
    explicit Listener(const std::vector<ProcessNote>& unknown) {
        for (const auto& note : unknown) all_.push_back({note, signOf(note.file.parent_path())});
    }

    void look() {
        std::erase_if(all_, hasEnded);
        for (auto& one : all_) {
            const Sign now = signOf(one.note.file.parent_path());
            if (now != std::exchange(one.first, now)) one.lastChange = Clock::now();
        }
    }
    bool heardOne() const { return std::ranges::any_of(all_, isHeard); }
    bool heardAll() const { return std::ranges::all_of(all_, isHeard); }

    void addTo(Owners& owners) const {
        for (const auto& one : all_) {
            if (!isHeard(one)) {
                owners.unknown.push_back(one.note);
                continue;
            }
            owners.living.push_back(one.note);
            owners.living.back().seen =
                std::chrono::duration_cast<milliseconds>(Clock::now() - *one.lastChange);
        }
    }

  private:
    static bool hasEnded(const Heard& one) {
        return lifeOfRecorded(one.note.file.parent_path()) == Life::Ended;
    }
    static bool isHeard(const Heard& one) { return one.lastChange.has_value(); }

    std::vector<Heard> all_;
};

}  // namespace

Sign signOf(const fs::path& folder) {
    Sign sign{readStatus(folder).value_or(tracing::Status{}).beats, 0};
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (const auto bytes = entry.file_size(error); !error) sign.bytes += bytes;
    return sign;
}

bool Listening::sleep(milliseconds time) {
    std::this_thread::sleep_for(time);
    return true;
}

Owners listenTo(const fs::path& recording, const Listening& how) {
    Owners owners = ownersOf(recording);
    if (owners.unknown.empty() || !owners.living.empty()) return owners;
    Listener listener(std::exchange(owners.unknown, {}));
    auto end = Clock::now() + how.time;
    bool goesOn = true;
    do {
        goesOn = how.pause(std::min(kBetweenLooks, how.time));
        listener.look();
        if (listener.heardOne()) end = std::min(end, Clock::now() + kBetweenSigns);
    } while (goesOn && !listener.heardAll() && Clock::now() < end);
    listener.addTo(owners);
    return owners;
}

}  // namespace holos::archive
