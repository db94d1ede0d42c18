// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/severity_table.h"

#include <algorithm>
#include <utility>

namespace holos::algebra {
namespace {

/// Blocks grow with the table up to this many values, so that small tables stay small.
constexpr std::size_t kLargestBlock = std::size_t{1} << 17;

}  // namespace

SeverityTable::SeverityTable(const SeverityTable& other)
    : rows_(other.rows_.size(), nullptr), locations_(other.locations_), missing_(other.missing_) {
    reserveRows(other.made_);
    for (std::size_t at = 0; at < rows_.size(); ++at) {
        const auto values = other.row(CallPathId(at));
        if (!other.hasRow(CallPathId(at))) continue;
        std::ranges::copy(values, free_);
        rows_[at] = std::exchange(free_, free_ + locations_);
        --freeRows_;
        ++made_;
    }
}

SeverityTable& SeverityTable::operator=(const SeverityTable& other) {
    if (this != &other) *this = SeverityTable(other);
    return *this;
}

void SeverityTable::reserveRows(std::size_t count) {
    if (count <= freeRows_) return;
    blocks_.push_back(std::make_unique_for_overwrite<double[]>(count * locations_));
    free_ = blocks_.back().get();
    freeRows_ = count;
}

void SeverityTable::adoptRows(std::unique_ptr<double[]> values, std::span<const CallPathId> paths) {
    double* row = values.get();
    for (const CallPathId path : paths) rows_[path.index()] = std::exchange(row, row + locations_);
    made_ += paths.size();
    blocks_.push_back(std::move(values));
}

double* SeverityTable::newRow() {
    if (freeRows_ == 0) {
        const std::size_t most = kLargestBlock / std::max<std::size_t>(locations_, 1);
        reserveRows(std::clamp<std::size_t>(made_, 1, std::max<std::size_t>(most, 1)));
    }
    double* const row = std::exchange(free_, free_ + locations_);
    std::fill_n(row, locations_, missing_);
    --freeRows_;
    ++made_;
    return row;
}

}  // namespace holos::algebra
