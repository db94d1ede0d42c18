// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/waiting.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <utility>

#include "tracing/recordings/archive/folder/living.h"

namespace holos::launch {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

}  // namespace

OnSignals::OnSignals(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
}

OnSignals::~OnSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

Interruption::Interruption() : OnSignals([](int) { came_ = 1; }) {
    came_ = 0;
}

bool Interruption::sleep(std::chrono::milliseconds time) const {
    constexpr long kMillisecond = 1'000'000;
    constexpr long kSecond = 1000;
    const timespec rest{time.count() / kSecond, time.count() % kSecond * kMillisecond};
    return came_ == 0 && ::nanosleep(&rest, nullptr) == 0 && came_ == 0;
}

LastWords::LastWords(std::string text) : OnSignals(&speakAndEnd), text_(std::move(text)) {
    spoken_ = &text_;
}

LastWords::~LastWords() {
    spoken_ = nullptr;
}

void LastWords::speakAndEnd(int signal) {
    if (const std::string* text = spoken_.load())
        if (::write(STDERR_FILENO, text->data(), text->size()) < 0) ::_exit(1);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

namespace {

namespace fs = std::filesystem;

/// Waits until a process ends, and looks more and more rarely: most end within milliseconds, some after
/// hours.
class Patience {
  public:
    /// `why` there is somebody to wait for.
    explicit Patience(const Announce& announce,
                      const char* why = "the program ended, but not all that it started")
        : announce_(announce), why_(why) {}

    /// False when a signal came. `who` is asked for the words that name the processes.
    bool hasMore(const std::function<std::string()>& who) {
        if (!said_ && waited_ >= kWorthSaying) {
            said_ = true;
            announce_(std::string(why_) + ": waiting for " + who() + " (Ctrl-C ends that)");
        }
        const auto pause = pause_;
        waited_ += pause;
        pause_ = std::min(2 * pause, kLongest);
        return interruption_.sleep(pause);
    }

  private:
    static constexpr std::chrono::milliseconds kLongest{100};
    static constexpr std::chrono::milliseconds kWorthSaying{1000};

    const Announce& announce_;
    const char* why_;
    const Interruption interruption_;
    std::chrono::milliseconds pause_{1};
    std::chrono::milliseconds waited_{0};
    bool said_ = false;
};

/// False when there are none left. Takes note of those that ended.
bool hasChildren(const Ended& tell) {
    for (;;) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, WNOHANG);
        if (ended > 0 && tell) tell(ended, status);
        if (ended == 0) return true;
        if (ended < 0 && errno != EINTR) return false;
    }
}

std::string describeChildren() {
    const std::string self = std::to_string(::getpid());
    std::ifstream children("/proc/" + self + "/task/" + self + "/children");
    std::string text;
    for (std::string pid; children >> pid;) {
        std::string name;
        std::getline(std::ifstream("/proc/" + pid + "/comm"), name);
        text += (text.empty() ? "process " : ", process ") + pid + (name.empty() ? "" : " (" + name + ')');
    }
    return text.empty() ? "other processes" : text;
}

/// Waits for processes that are known to live here.
bool waitForKnown(const fs::path& recording, const Announce& announce) {
    Patience patience(announce);
    for (const auto& folder : archive::processFolders(recording))
        while (archive::lifeOfRecorded(folder) == archive::Life::Living) {
            const auto who = [&folder] {
                const auto note = archive::readNote(folder / "alive");
                return note ? archive::processesText({*note}) : std::string("another process");
            };
            if (!patience.hasMore(who)) return false;
        }
    return true;
}

/// False when a signal came. `isSilent`: no other one gave a sign of life.
bool listen(const fs::path& recording, const Announce& announce, bool& isSilent) {
    Patience patience(announce, "it is not known here whether all that the program started has ended");
    bool goesOn = true;
    const auto who = [&recording] {
        return "signs of life of " + archive::processesText(archive::ownersOf(recording).unknown);
    };
    const auto pause = [&](std::chrono::milliseconds) { return goesOn = patience.hasMore(who); };
    isSilent = archive::listenTo(recording, {.pause = pause}).living.empty();
    return goesOn;
}

}  // namespace

void adoptOrphans() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

bool waitForDescendants(const Announce& announce, const Ended& ended) {
    Patience patience(announce);
    while (hasChildren(ended))
        if (!patience.hasMore(describeChildren)) return false;
    return true;
}

bool waitForProcesses(const fs::path& recording, const Announce& announce) {
    for (bool isSilent = false; !isSilent;)
        if (!waitForKnown(recording, announce) || !listen(recording, announce, isSilent)) return false;
    return true;
}

}  // namespace holos::launch
