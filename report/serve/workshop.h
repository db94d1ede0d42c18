// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/stopped.h"

namespace holos::serve {

using Moment = std::chrono::steady_clock::time_point;

/// Thrown where what is asked for is still being made: it is to be asked for again.
struct NotYet {
    double part = 0.0;  ///< of it that is done
};

/// Makes what takes time, one thing after the other in a thread of its own, and keeps the last few. What
/// nobody asks for any more is left unmade. Thread safety: safe.
template <class Thing>
class Workshop {
  public:
    using Made = std::shared_ptr<Thing>;
    /// To be called now and then with the part that is done. Throws `Stopped` when nobody wants the thing.
    using Progress = std::function<void(double)>;
    using Make = std::function<Made(const Progress&)>;

    explicit Workshop(std::size_t kept) : kept_(kept) {}
    ~Workshop() {
        end();
        if (maker_.joinable()) maker_.join();
    }
    Workshop(const Workshop&) = delete;
    Workshop& operator=(const Workshop&) = delete;

    /// The thing of this name, for which is waited until then; afterwards `NotYet` is thrown. What could not
    /// be made throws what `make` threw, to one who asks; then it is tried again.
    Made take(const std::string& name, const Make& make, Moment until) {
        std::unique_lock lock(mutex_);
        const auto job = jobOf(name, make);
        job->lastAsked = Clock::now();
        isMade_.wait_until(lock, until, [&] { return job->isDone || isOver_; });
        if (!job->isDone) throw NotYet{job->part};
        if (job->made) return job->made;
        jobs_.erase(name);
        std::rethrow_exception(job->failure);
    }

    /// Nothing is begun any more.
    void end() {
        {
            const std::lock_guard lock(mutex_);
            isOver_ = true;
        }
        isWanted_.notify_all();
        isMade_.notify_all();
    }

  private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        Make make;
        Moment lastAsked{};
        std::atomic<double> part = 0.0;
        bool isDone = false;
        Made made;
        std::exception_ptr failure;
    };
    static constexpr std::size_t kMostJobs = 64;
    /// A page asks again twice a second.
    static constexpr auto kForgotten = std::chrono::seconds(10);

    std::shared_ptr<Job> jobOf(const std::string& name, const Make& make) {
        const auto known = jobs_.find(name);
        if (known != jobs_.end()) return known->second;
        if (wanted_.size() >= kMostJobs) throw NotYet{};
        auto job = std::make_shared<Job>();
        job->make = make;
        jobs_[name] = job;
        order_.push_back(name);
        for (std::size_t left = order_.size(); order_.size() > kept_ && left > 1; --left) dropOldest();
        wanted_.push_back(job);
        if (!maker_.joinable()) maker_ = std::thread([this] { work(); });
        isWanted_.notify_one();
        return job;
    }

    /// One that is not made yet goes to the end.
    void dropOldest() {
        const std::string name = std::move(order_.front());
        order_.pop_front();
        const auto job = jobs_.find(name);
        if (job == jobs_.end()) return;
        if (job->second->isDone)
            jobs_.erase(job);
        else
            order_.push_back(name);
    }

    void leave(const std::shared_ptr<Job>& job) {
        std::erase_if(jobs_, [&](const auto& each) { return each.second == job; });
    }

    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            isWanted_.wait(lock, [this] { return isOver_ || !wanted_.empty(); });
            if (isOver_) return;
            const auto job = std::move(wanted_.front());
            wanted_.pop_front();
            if (Clock::now() - job->lastAsked > kForgotten) {
                leave(job);
                continue;
            }
            lock.unlock();
            Made made;
            std::exception_ptr failure;
            bool isStopped = false;
            try {
                made = job->make([this, &job](double part) { tell(*job, part); });
            } catch (const Stopped&) {
                isStopped = true;
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            if (isStopped) {
                leave(job);
                continue;
            }
            job->made = std::move(made);
            job->failure = failure;
            job->isDone = true;
            job->make = nullptr;
            isMade_.notify_all();
        }
    }

    void tell(Job& job, double part) {
        job.part = part;
        const std::lock_guard lock(mutex_);
        if (isOver_ || Clock::now() - job.lastAsked > kForgotten) throw Stopped();
    }

    std::size_t kept_;
    std::mutex mutex_;  ///< of all below
    std::condition_variable isWanted_;
    std::condition_variable isMade_;
    std::map<std::string, std::shared_ptr<Job>> jobs_;
    std::deque<std::string> order_;  ///< the oldest first
    std::deque<std::shared_ptr<Job>> wanted_;
    bool isOver_ = false;
    std::thread maker_;  ///< from the first that is wanted on
};

}  // namespace holos::serve
