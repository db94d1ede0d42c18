// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/rows.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <vector>

namespace holos::algebra {
namespace {

constexpr std::size_t kBlockValues = std::size_t{1} << 15;

class TableRows final : public Rows {
  public:
    explicit TableRows(std::shared_ptr<const SeverityTable> table)
        : Rows(table->callPaths(), table->locations(), table->missing()), table_(std::move(table)) {}

    bool hasRow(CallPathId path) const override { return table_->hasRow(path); }
    std::span<const double> row(CallPathId path, std::span<double>) const override {
        return table_->row(path);
    }
    std::shared_ptr<const SeverityTable> table() const override { return table_; }

  private:
    std::shared_ptr<const SeverityTable> table_;
};

/// Rows that one thread read.
struct Block {
    std::vector<CallPathId> paths;
    std::unique_ptr<double[]> values;
};

Block readBlock(const Rows& rows, std::span<const CallPathId> paths) {
    Block block;
    const std::size_t length = rows.locations();
    block.values = std::make_unique_for_overwrite<double[]>(paths.size() * length);
    for (const CallPathId path : paths) {
        const std::span<double> place(block.values.get() + block.paths.size() * length, length);
        const auto values = rows.row(path, place);
        if (rows.allMissing(values)) continue;
        if (values.data() != place.data()) std::ranges::copy(values, place.begin());
        block.paths.push_back(path);
    }
    if (2 * block.paths.size() < paths.size()) {  // most of the memory was not needed
        const std::size_t used = block.paths.size() * length;
        auto exact = std::make_unique_for_overwrite<double[]>(used);
        std::copy_n(block.values.get(), used, exact.get());
        block.values = std::move(exact);
    }
    return block;
}

}  // namespace

std::shared_ptr<const SeverityTable> Rows::table() const {
    std::vector<CallPathId> present;
    for (std::size_t at = 0; at < callPaths_; ++at)
        if (hasRow(CallPathId(at))) present.emplace_back(at);
    const std::size_t step = rowsPerBlock(locations_);
    std::vector<Block> blocks((present.size() + step - 1) / step);
    // Isolated, so that a thread that waits here does not begin work that wants the same table.
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t at) {
            const auto paths = std::span<const CallPathId>(present).subspan(at * step);
            blocks[at] = readBlock(*this, paths.first(std::min(step, paths.size())));
        });
    });
    auto table = std::make_shared<SeverityTable>(callPaths_, locations_, missing_);
    for (Block& block : blocks)
        if (!block.paths.empty()) table->adoptRows(std::move(block.values), block.paths);
    return table;
}

bool Rows::allMissing(std::span<const double> values) const {
    return std::ranges::all_of(values, [this](double value) { return value == missing_; });
}

RowsPtr rowsOf(std::shared_ptr<const SeverityTable> table) {
    return std::make_shared<TableRows>(std::move(table));
}

std::size_t rowsPerBlock(std::size_t locations) {
    return std::max<std::size_t>(kBlockValues / std::max<std::size_t>(locations, 1), 1);
}

}  // namespace holos::algebra
