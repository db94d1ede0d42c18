// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/summed_rows.h"

#include <algorithm>

namespace holos::analyzer::assemble {

namespace {

using algebra::CallPathId;

class SummedRows final : public algebra::Rows {
  public:
    explicit SummedRows(std::vector<Summand> summands)
        : Rows(summands[0].rows->callPaths(), summands[0].rows->locations(), 0.0),
          summands_(std::move(summands)) {}

    bool hasRow(CallPathId path) const override {
        return std::any_of(summands_.begin(), summands_.end(),
                           [&](const Summand& summand) { return summand.rows->hasRow(path); });
    }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        if (summands_.size() == 1 && summands_[0].factor == 1) return summands_[0].rows->row(path, scratch);
        std::fill(scratch.begin(), scratch.end(), 0.0);
        std::vector<double> room(locations());
        for (const Summand& summand : summands_) {
            const std::span<const double> values = summand.rows->row(path, room);
            for (std::size_t i = 0; i < values.size(); ++i) scratch[i] += summand.factor * values[i];
        }
        return scratch.first(locations());
    }

  private:
    std::vector<Summand> summands_;
};

}  // namespace

algebra::RowSource summed(std::vector<Summand> summands) {
    return [rows = std::make_shared<const SummedRows>(std::move(summands))] { return rows; };
}

}  // namespace holos::analyzer::assemble
