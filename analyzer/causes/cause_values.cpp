// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/cause_values.h"

#include <algorithm>

namespace holos::analyzer::causes {
namespace {

/// How many may wait to be sorted in at least; more of them where there are more entries, so that the effort
/// stays in proportion.
constexpr std::size_t kFewest = 64;

bool isBefore(const PathFraction& a, const PathFraction& b) {
    return a.path < b.path;
}

}  // namespace

PathFraction* SparseSum::find(std::uint32_t path) {
    if (settled_ == 0 || entries_[settled_ - 1].path < path) return nullptr;
    if (next_ >= settled_ || entries_[next_].path != path) {
        const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(settled_);
        const auto entry = std::lower_bound(entries_.begin(), end, PathFraction{path, 0}, isBefore);
        next_ = static_cast<std::size_t>(entry - entries_.begin());
    }
    PathFraction& found = entries_[next_];
    if (found.path != path) return nullptr;
    ++next_;
    return &found;
}

void SparseSum::add(std::uint32_t path, double ticks) {
    if (PathFraction* const known = find(path)) {
        known->ticks += ticks;
        return;
    }
    const bool isNext = settled_ == entries_.size() && (settled_ == 0 || entries_.back().path < path);
    entries_.push_back({path, ticks});
    if (isNext)
        ++settled_;
    else if (entries_.size() - settled_ >= std::max(kFewest, settled_))
        settle();
}

void SparseSum::settle() {
    if (settled_ == entries_.size()) return;
    std::ranges::stable_sort(entries_, isBefore);
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
