// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace holos::algebra {

/// Results that took reading much of a file, under what was asked; the oldest go when there are too many.
///
/// Thread safety: safe.
class RememberedResults {
  public:
    using Key = std::vector<std::uint64_t>;
    using Result = std::shared_ptr<const std::vector<double>>;

    /// Null when it is not known.
    Result find(const Key& key) const;
    Result add(const Key& key, std::vector<double> result);
    void clear();

  private:
    mutable std::mutex guard_;
    std::map<Key, Result> known_;
    std::deque<Key> order_;
    std::size_t numbers_ = 0;
};

}  // namespace holos::algebra
