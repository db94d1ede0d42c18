// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/sparse_sum.h"

#include <algorithm>

namespace holos::analyzer::causes {

namespace {

/// So many may wait to be sorted in at least; more of them where there are more entries, so that the effort
/// stays in proportion.
constexpr std::size_t kFewest = 64;

bool isBefore(const PathFraction& a, const PathFraction& b) {
    return a.path < b.path;
}

}  // namespace

void SparseSum::add(std::uint32_t path, double ticks) {
    const bool isSettled = settled_ == entries_.size();
    if (isSettled && settled_ != 0 && entries_.back().path == path) {
        entries_.back().ticks += ticks;
        return;
    }
    const bool isNext = isSettled && (settled_ == 0 || entries_.back().path < path);
    entries_.push_back({path, ticks});
    if (isNext)
        ++settled_;
    else if (entries_.size() - settled_ >= std::max(kFewest, settled_))
        settle();
}

void SparseSum::settle() {
    if (settled_ == entries_.size()) return;
    std::stable_sort(entries_.begin(), entries_.end(), isBefore);
    std::size_t last = 0;
    for (std::size_t i = 1; i < entries_.size(); ++i)
        if (entries_[i].path == entries_[last].path)
            entries_[last].ticks += entries_[i].ticks;
        else
            entries_[++last] = entries_[i];
    entries_.resize(last + 1);
    settled_ = entries_.size();
}

}  // namespace holos::analyzer::causes
