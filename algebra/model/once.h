// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <mutex>

namespace holos::algebra {

/// Something that is computed when it is first asked for, once. Copied or moved, it starts anew.
///
/// Thread safety: safe.
template <class Value>
class Once {
  public:
    Once() = default;
    Once(const Once&) noexcept {}
    Once& operator=(const Once& other) noexcept {
        if (this != &other) value_.reset();
        return *this;
    }
    ~Once() = default;

    /// `compute` must not ask for the same value.
    template <class Compute>
    const Value& get(Compute compute) const {
        const std::lock_guard lock(computing_);
        if (!value_) value_ = std::make_shared<const Value>(compute());
        return *value_;
    }

  private:
    mutable std::mutex computing_;
    mutable std::shared_ptr<const Value> value_;
};

}  // namespace holos::algebra
