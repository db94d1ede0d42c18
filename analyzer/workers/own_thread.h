// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace holos::analyzer::workers {

/// Does tasks one after the other, all in the same thread. Those that are left are done before it ends.
/// Thread safety: safe.
class OwnThread {
  public:
    OwnThread() : thread_([this] { run(); }) {}
    ~OwnThread() {
        {
            const std::lock_guard lock(mutex_);
            isLast_ = true;
        }
        changed_.notify_one();
    }
    OwnThread(const OwnThread&) = delete;
    OwnThread& operator=(const OwnThread&) = delete;

    /// What it returns or throws comes out of the future, for which nobody has to wait.
    std::future<void> add(std::function<void()> task) {
        std::packaged_task<void()> added(std::move(task));
        std::future<void> end = added.get_future();
        {
            const std::lock_guard lock(mutex_);
            tasks_.push_back(std::move(added));
        }
        changed_.notify_one();
        return end;
    }

  private:
    void run() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return isLast_ || !tasks_.empty(); });
            if (tasks_.empty()) return;
            std::packaged_task<void()> task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            task();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::packaged_task<void()>> tasks_;
    bool isLast_ = false;
    std::jthread thread_;  ///< the last member, so that all others outlive it
};

}  // namespace holos::analyzer::workers
