// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/remembered_results.h"

namespace holos::algebra {
namespace {

/// 64 MiB.
constexpr std::size_t kMostNumbers = std::size_t{8} << 20;

}  // namespace

RememberedResults::Result RememberedResults::find(const Key& key) const {
    const std::lock_guard lock(guard_);
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : found->second;
}

RememberedResults::Result RememberedResults::add(const Key& key, std::vector<double> result) {
    const std::lock_guard lock(guard_);
    const auto [place, isNew] =
        known_.try_emplace(key, std::make_shared<const std::vector<double>>(std::move(result)));
    const Result kept = place->second;
    if (!isNew) return kept;
    order_.push_back(key);
    numbers_ += key.size() + kept->size();
    while (numbers_ > kMostNumbers && order_.size() > 1) {
        const auto oldest = known_.find(order_.front());
        numbers_ -= oldest->first.size() + oldest->second->size();
        known_.erase(oldest);
        order_.pop_front();
    }
    return kept;
}

void RememberedResults::clear() {
    const std::lock_guard lock(guard_);
    known_.clear();
    order_.clear();
    numbers_ = 0;
}

}  // namespace holos::algebra
