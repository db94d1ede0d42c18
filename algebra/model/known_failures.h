// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "algebra/model/ids.h"

namespace holos::algebra {

/// Metrics whose evaluation took long and then failed, with the reason: no query tries that again. Copied or
/// moved, it starts anew.
///
/// Thread safety: safe.
class KnownFailures {
  public:
    KnownFailures() = default;
    KnownFailures(const KnownFailures&) noexcept {}
    KnownFailures& operator=(const KnownFailures& other) noexcept {
        if (this != &other) reasons_.clear();
        return *this;
    }
    ~KnownFailures() = default;

    std::optional<std::string> of(MetricId metric) const {
        const std::lock_guard lock(guard_);
        const auto found = reasons_.find(metric);
        return found == reasons_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(MetricId metric, const std::string& reason) const {
        const std::lock_guard lock(guard_);
        reasons_.emplace(metric, reason);
    }
    std::size_t size() const {
        const std::lock_guard lock(guard_);
        return reasons_.size();
    }

  private:
    mutable std::mutex guard_;
    mutable std::map<MetricId, std::string> reasons_;
};

}  // namespace holos::algebra
