// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/stopped.h"
#include "report/query/table.h"

namespace holos::query {

/// Rows from a thread that makes them to the one that takes them, a few thousand at a time: so many are in
/// memory, however many there are. The maker is stopped when nobody takes rows any more.
/// Thread safety: `add` by the maker, `next` by the one that owns the stream.
template <class Row>
class EventStream {
  public:
    /// `make` calls `add` for each row; what it throws comes out of `next`, except `Stopped` by `isClosed`.
    template <class Make>
    explicit EventStream(Make make)
        : thread_([this, make = std::move(make)] {
              std::exception_ptr failure;
              try {
                  make(*this);
                  hand();
              } catch (const Stopped&) {
                  if (!isClosed_) failure = std::current_exception();
              } catch (...) {
                  failure = std::current_exception();
              }
              const std::lock_guard lock(mutex_);
              failure_ = failure;
              isMade_ = true;
              changed_.notify_all();
          }) {}
    ~EventStream() {
        {
            const std::lock_guard lock(mutex_);
            isClosed_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    EventStream(const EventStream&) = delete;
    EventStream& operator=(const EventStream&) = delete;

    /// Throws `Stopped` when nobody takes rows any more.
    void add(const Row& row) {
        made_.push_back(row);
        if (made_.size() >= kTogether) hand();
    }
    /// Nobody wants more.
    bool isClosed() const { return isClosed_; }

    /// The next row, or null behind the last. Valid until the next call.
    const Row* next() {
        if (taken_ == rows_.size() && !fetch()) return nullptr;
        return &rows_[taken_++];
    }

  private:
    static constexpr std::size_t kTogether = 2048;
    static constexpr std::size_t kMostWaiting = 4;

    void hand() {
        if (made_.empty()) return;
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return isClosed_ || waiting_.size() < kMostWaiting; });
        if (isClosed_) throw Stopped();
        waiting_.push_back(std::exchange(made_, {}));
        made_.reserve(kTogether);
        changed_.notify_all();
    }
    bool fetch() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return isMade_ || !waiting_.empty(); });
        if (waiting_.empty()) {
            if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
            return false;
        }
        rows_ = std::move(waiting_.front());
        waiting_.pop_front();
        taken_ = 0;
        changed_.notify_all();
        return true;
    }

    std::vector<Row> made_;  ///< by the maker, not handed over yet
    std::vector<Row> rows_;  ///< with the one that takes them
    std::size_t taken_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::vector<Row>> waiting_;
    std::atomic<bool> isClosed_ = false;
    bool isMade_ = false;
    std::exception_ptr failure_;
    std::thread thread_;  ///< last: the rest is there when it begins
};

}  // namespace holos::query
