// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/table_parts.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "algebra/model/row_sums.h"

namespace holos::analyzer::assemble {

namespace {

using algebra::CallPathId;
using algebra::SeverityTable;

class NoRows final : public algebra::Rows {
  public:
    NoRows(std::size_t callPaths, std::size_t locations)
        : Rows(callPaths, locations, 0.0),
          sums_(std::make_shared<algebra::RowSums>(algebra::RowSums{std::vector<double>(callPaths),
                                                                    std::vector<double>(locations),
                                                                    std::vector<double>(callPaths)})) {}
    bool hasRow(CallPathId) const override { return false; }
    std::span<const double> row(CallPathId, std::span<double>) const override { return {}; }
    std::shared_ptr<const SeverityTable> table() const override {
        return std::make_shared<SeverityTable>(callPaths(), locations());
    }
    /// Many metrics have these rows: nobody has to look for values in each.
    std::shared_ptr<const algebra::RowSums> storedSums() const override { return sums_; }

  private:
    std::shared_ptr<const algebra::RowSums> sums_;
};

/// Rows of a few locations are made many at a time.
constexpr std::size_t kBlockValues = 4096;

}  // namespace

algebra::RowSource zeros(std::size_t callPaths, std::size_t locations) {
    return [rows = std::make_shared<const NoRows>(callPaths, locations)] { return rows; };
}

bool isZero(const algebra::Severities& severities, algebra::MetricId metric) {
    return dynamic_cast<const NoRows*>(severities.rows(metric).get()) != nullptr;
}

std::span<double> TablePart::editRow(CallPathId path) {
    double*& row = rows_[path.index() - begin_];
    if (row == nullptr) row = table_.hasRow(path) ? table_.editRow(path).data() : newRow(path);
    return {row, table_.locations()};
}

double* TablePart::newRow(CallPathId path) {
    const std::size_t length = table_.locations();
    if (blocks_.empty() || blocks_.back().paths.size() == blocks_.back().capacity) {
        Block block;
        block.capacity =
            std::clamp<std::size_t>(kBlockValues / std::max<std::size_t>(length, 1), 1, rows_.size());
        block.values = std::make_unique_for_overwrite<double[]>(block.capacity * length);
        blocks_.push_back(std::move(block));
    }
    Block& block = blocks_.back();
    double* const row = block.values.get() + block.paths.size() * length;
    std::fill_n(row, length, table_.missing());
    block.paths.push_back(path);
    return row;
}

void TablePart::finish() {
    for (Block& block : blocks_) table_.adoptRows(std::move(block.values), block.paths);
    blocks_.clear();
}

std::size_t pathsPerRange(std::size_t locations, std::size_t fewest) {
    return std::max(fewest, algebra::rowsPerBlock(locations));
}

void forRanges(std::size_t callPaths, std::size_t locations, workers::Workers& workers,
               const std::function<void(std::size_t begin, std::size_t end)>& work, std::size_t fewest) {
    const std::size_t step = pathsPerRange(locations, fewest);
    workers.forEach((callPaths + step - 1) / step,
                    [&](std::size_t i) { work(i * step, std::min(callPaths, (i + 1) * step)); });
}

void editParts(
    std::span<SeverityTable* const> tables, workers::Workers& workers,
    const std::function<void(std::span<TablePart> parts, std::size_t begin, std::size_t end)>& work,
    std::size_t fewest) {
    std::mutex mutex;
    std::map<std::size_t, std::vector<TablePart>> made;  // by start of the range
    forRanges(
        tables[0]->callPaths(), tables[0]->locations(), workers,
        [&](std::size_t begin, std::size_t end) {
            std::vector<TablePart> parts;
            for (SeverityTable* const table : tables) parts.emplace_back(*table, begin, end);
            work(parts, begin, end);
            const std::lock_guard lock(mutex);
            made.emplace(begin, std::move(parts));
        },
        fewest);
    for (auto& [begin, parts] : made)
        for (TablePart& part : parts) part.finish();
}

}  // namespace holos::analyzer::assemble
