// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

namespace holos::testing::study {

/// What threads of a simulated program truly did in each call path, such as `main/solve/relax`, with what it
/// called. Counted where it is simulated, so that a result can be compared with it.
class Ledger {
  public:
    /// Seconds, by thread: those of a process follow each other.
    using Seconds = std::vector<double>;

    explicit Ledger(std::size_t threads) : threads_(threads) {}

    void add(const std::vector<std::string>& functions, std::size_t thread, double seconds) {
        std::string path;
        for (const std::string& function : functions) {
            path += (path.empty() ? "" : "/") + function;
            Seconds& times = times_[path];
            times.resize(threads_);
            times[thread] += seconds;
        }
    }
    /// Zeros of one that nobody was in.
    Seconds in(const std::string& path) const {
        const auto found = times_.find(path);
        return found == times_.end() ? Seconds(threads_) : found->second;
    }

  private:
    std::size_t threads_;
    std::map<std::string, Seconds> times_;
};

}  // namespace holos::testing::study
