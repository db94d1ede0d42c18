// SPDX-License-Identifier: BSD-3-Clause
#include "cli/watch/watching_thread.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace holos::cli {

ScreenPicture screenPictureOf(WatchedRun& watched) {
    const watch::Waits waits = watch::findWaits(watched.run);
    ScreenPicture made{watched.run.picture(), watchSummary(watched), {}, waitSentences(watched, waits), {}};
    made.notes = watchNotes(made.picture);
    for (std::size_t process = 0; process < made.picture.processes.size(); ++process) {
        auto& threads = made.threads.emplace_back();
        for (std::size_t thread = 0; thread < made.picture.processes[process].threads.size(); ++thread)
            threads.push_back(
                {placeText(watched, {process, thread}), pathText(watched, {process, thread}), ""});
    }
    for (std::size_t i = 0; i < waits.threads.size(); ++i)
        made.threads[waits.threads[i].process][waits.threads[i].thread].waits = waits.waits[i].what;
    return made;
}

namespace {

/// While it exists, threads begin without signals: those are for the thread that waits for keys.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

}  // namespace

WatchingThread::WatchingThread(WatchedRun& watched, std::chrono::milliseconds interval)
    : watched_(watched), interval_(interval), news_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!news_) throw Error(std::strerror(errno));
    const SignalsBlocked blocked;
    thread_ = std::thread([this] { run(); });
}

WatchingThread::~WatchingThread() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void WatchingThread::run() try {
    for (;;) {
        watched_.run.look([this] { return goesOn(); });
        if (!goesOn()) return;
        give(std::make_shared<const ScreenPicture>(screenPictureOf(watched_)), nullptr);
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, interval_, [this] { return isEnding_; });
        changed_.wait(lock, [this] { return isEnding_ || !isPaused_; });
        if (isEnding_) return;
    }
} catch (...) {
    give(nullptr, std::current_exception());
}

bool WatchingThread::goesOn() {
    const std::lock_guard lock(mutex_);
    return !isEnding_;
}

void WatchingThread::give(std::shared_ptr<const ScreenPicture> picture, std::exception_ptr failure) {
    {
        const std::lock_guard lock(mutex_);
        newest_ = std::move(picture);
        failure_ = std::move(failure);
    }
    constexpr std::uint64_t kOne = 1;
    [[maybe_unused]] const ssize_t written = ::write(news_.number(), &kOne, sizeof kOne);
}

std::shared_ptr<const ScreenPicture> WatchingThread::take() {
    std::uint64_t number = 0;
    [[maybe_unused]] const ssize_t got = ::read(news_.number(), &number, sizeof number);
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    return std::exchange(newest_, nullptr);
}

void WatchingThread::setPaused(bool isPaused) {
    {
        const std::lock_guard lock(mutex_);
        isPaused_ = isPaused;
    }
    changed_.notify_all();
}

}  // namespace holos::cli
