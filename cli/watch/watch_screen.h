// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "cli/watch/watch_formats.h"

namespace holos::cli {

/// A picture with all the words that a screen may show of it: whoever has it reads no file and computes
/// nothing any more.
struct ScreenPicture {
    struct Thread {
        std::string place;  ///< what it is in now
        std::string path;   ///< all that it is in
        std::string waits;  ///< for what; empty where it waits for nothing
    };
    watch::Picture picture;
    std::string summary;
    std::vector<std::vector<Thread>> threads;  ///< by process and thread of the picture
    std::vector<std::string> waits;            ///< who waits for whom, in sentences
    std::vector<std::string> notes;
};

/// Of what was read last.
ScreenPicture screenPictureOf(WatchedRun& watched);

/// Looks at a run again and again in a thread of its own, so that nobody else waits for files or for what is
/// computed of them. It takes no signals.
class WatchingThread {
  public:
    using Clock = std::chrono::steady_clock;

    /// `interval`: from the end of one look to the next one.
    WatchingThread(WatchedRun& watched, std::chrono::milliseconds interval);
    /// Waits until the thread has left the file that it is reading.
    ~WatchingThread();
    WatchingThread(const WatchingThread&) = delete;
    WatchingThread& operator=(const WatchingThread&) = delete;

    /// The newest picture, once; else null. Throws what ended the thread.
    std::shared_ptr<const ScreenPicture> take();
    void setPaused(bool isPaused);
    /// Can be read once there is something to take.
    int descriptor() const { return news_.number(); }

  private:
    void run();
    bool goesOn();
    void give(std::shared_ptr<const ScreenPicture> picture, std::exception_ptr failure);

    WatchedRun& watched_;
    std::chrono::milliseconds interval_;
    Descriptor news_;
    std::mutex mutex_;  ///< of what follows
    std::condition_variable changed_;
    bool isEnding_ = false;
    bool isPaused_ = false;
    std::shared_ptr<const ScreenPicture> newest_;
    std::exception_ptr failure_;
    std::thread thread_;
};

/// Pictures on the whole terminal, one after the other, until the user has seen enough. Throws `Error` where
/// the terminal is not known. Leaves it as it was, whatever ends the command but SIGKILL.
void watchOnScreen(WatchedRun& watched, std::chrono::milliseconds interval);

}  // namespace holos::cli
