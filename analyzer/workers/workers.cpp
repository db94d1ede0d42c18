// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace holos::analyzer::workers {
namespace {

class Threads final : public Workers {
  public:
    explicit Threads(unsigned count)
        : count_(count != 0 ? count : std::max(1U, std::thread::hardware_concurrency())) {}

    void forEach(std::size_t count, const std::function<void(std::size_t)>& work) override {
        std::atomic<std::size_t> next{0};
        std::mutex mutex;
        std::exception_ptr failure;
        std::size_t failed = count;
        const auto run = [&] {
            for (std::size_t unit = next++; unit < count; unit = next++) {
                try {
                    work(unit);
                } catch (...) {
                    next = count;  // units with smaller numbers were all started
                    const std::lock_guard lock(mutex);
                    if (unit < failed) {
                        failed = unit;
                        failure = std::current_exception();
                    }
                }
            }
        };
        {
            std::vector<std::jthread> helpers;
            const std::size_t wanted = std::min<std::size_t>(count_, count);
            for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(run);
            run();
        }
        if (failure) std::rethrow_exception(failure);
    }

  private:
    unsigned count_;
};

}  // namespace

std::unique_ptr<Workers> makeThreads(unsigned count) {
    return std::make_unique<Threads>(count);
}

}  // namespace holos::analyzer::workers
