// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/growths.h"

#include <cmath>

namespace holos::analyzer::replay {

void GrowthRecorder::passTo(const ReadingMoment& moment) {
    part_ = partTo(moment);
    last_ = moment;
    if (part_ == 0) return;
    if (growths_.ends.empty() || (inLast_ >= readings_ && growths_.ends.back() != moment.time)) {
        if (growths_.ends.size() == kMost) joinNeighbours();
        growths_.ends.push_back(moment.time);
        growths_.values.resize(growths_.values.size() + members_);
        inLast_ = 0;
    }
    growths_.ends.back() = moment.time;
    ++inLast_;
}

double GrowthRecorder::partTo(const ReadingMoment& moment) const {
    if (moment.isCounted && last_.isCounted) return 1;
    // Recorded times may lie anywhere.
    const double whole = static_cast<double>(moment.recorded) - static_cast<double>(last_.recorded);
    if (!(whole > 0)) return moment.isCounted ? 1 : 0;
    return static_cast<double>(moment.time - last_.time) / whole;
}

void GrowthRecorder::add(std::size_t member, double value) {
    if (part_ != 0 && std::isfinite(value))
        growths_.values[growths_.values.size() - members_ + member] += part_ * value;
}

void GrowthRecorder::joinNeighbours() {
    const std::size_t joined = kMost / 2;
    for (std::size_t i = 0; i < joined; ++i) {
        growths_.ends[i] = growths_.ends[2 * i + 1];
        for (std::size_t member = 0; member < members_; ++member)
            growths_.values[i * members_ + member] =
                growths_.values[2 * i * members_ + member] + growths_.values[(2 * i + 1) * members_ + member];
    }
    growths_.ends.resize(joined);
    growths_.values.resize(joined * members_);
    readings_ *= 2;
}

}  // namespace holos::analyzer::replay
