// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/growth_watch.h"

#include <pthread.h>
#include <sys/stat.h>

#include <csignal>
#include <utility>

#include "base/error.h"
#include "base/process.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;

/// Signals are for the thread that runs the program.
class NoSignals {
  public:
    NoSignals() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(NoSignals&&) = delete;

  private:
    sigset_t before_{};
};

std::string text(std::uint64_t bytes, std::chrono::steady_clock::duration passed, const fs::path& folder) {
    constexpr std::uint64_t kMegabyte = 1'000'000;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(passed).count();
    return "the recording has " + std::to_string(bytes / kMegabyte) + " MB after " + std::to_string(seconds) +
           " s. 'holos score " + shellLine({folder.string()}) +
           "' says what makes it large, also while the program runs, and writes a filter; --profile adds up "
           "instead of tracing, and --buffer limits what each thread keeps";
}

}  // namespace

std::uint64_t bytesOfEvents(const fs::path& recording) {
    constexpr std::uint64_t kBlock = 512;
    std::uint64_t sum = 0;
    std::error_code error;
    for (const auto& process : fs::directory_iterator(recording, error)) {
        struct stat events {};
        if (::stat((process.path() / "events").c_str(), &events) == 0)
            sum += static_cast<std::uint64_t>(events.st_blocks) * kBlock;
    }
    return sum;
}

GrowthWatch::GrowthWatch(std::function<fs::path()> folder, Announce announce, std::uint64_t limit,
                         std::chrono::milliseconds interval)
    : folder_(std::move(folder)), announce_(std::move(announce)), limit_(limit), interval_(interval) {
    const NoSignals none;
    thread_ = std::thread(&GrowthWatch::watch, this);
}

GrowthWatch::~GrowthWatch() {
    {
        const std::scoped_lock lock(mutex_);
        isOver_ = true;
    }
    ends_.notify_all();
    thread_.join();
}

void GrowthWatch::watch() {
    std::unique_lock lock(mutex_);
    while (!ends_.wait_for(lock, interval_, [this] { return isOver_; })) try {
            const fs::path folder = folder_();
            const std::uint64_t bytes = bytesOfEvents(archive::recordingOf(folder));
            if (bytes <= limit_) continue;
            return announce_(text(bytes, std::chrono::steady_clock::now() - begin_, folder));
        } catch (const Error&) {  // the folder is gone: the end of the program says so
            return;
        }
}

}  // namespace holos::launch
