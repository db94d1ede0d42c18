// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/rows.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

#include "algebra/model/row_sums.h"

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
    bool isInMemory() const override { return true; }
    std::shared_ptr<const SeverityTable> table() const override { return table_; }

  private:
    std::shared_ptr<const SeverityTable> table_;
};

}  // namespace

ReadRows::ReadRows(const Rows& rows, std::span<const CallPathId> paths) : locations_(rows.locations()) {
    values_ = std::make_unique_for_overwrite<double[]>(paths.size() * locations_);
    for (const CallPathId path : paths) {
        const std::span<double> place(values_.get() + paths_.size() * locations_, locations_);
        const auto values = rows.row(path, place);
        if (rows.allMissing(values)) continue;
        if (values.data() != place.data()) std::ranges::copy(values, place.begin());
        paths_.push_back(path);
    }
    if (2 * paths_.size() < paths.size()) {  // most of the memory was not needed
        const std::size_t used = paths_.size() * locations_;
        auto exact = std::make_unique_for_overwrite<double[]>(used);
        std::copy_n(values_.get(), used, exact.get());
        values_ = std::move(exact);
    }
}

namespace {

std::vector<CallPathId> withRow(const Rows& rows, std::span<const CallPathId> paths) {
    std::vector<CallPathId> present;
    std::ranges::copy_if(paths, std::back_inserter(present), [&rows](CallPathId path) {
        return path.index() < rows.callPaths() && rows.hasRow(path);
    });
    return present;
}

}  // namespace

void passThrough(const Rows& rows, std::span<const CallPathId> paths,
                 const std::function<double(std::span<const double>)>& make,
                 const std::function<void(const ReadRows&)>& use) {
    const std::vector<CallPathId> present = withRow(rows, paths);
    const std::size_t step = rowsPerBlock(rows.locations());
    const std::size_t blocks = (present.size() + step - 1) / step;
    // Of those on their way, in turn: what a pipeline that is ended by an exception carried would never be
    // freed.
    const std::size_t inFlight = 2 * std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::optional<ReadRows>> places(inFlight);
    std::size_t next = 0;
    const auto choose = [&](tbb::flow_control& flow) {
        if (next == blocks) flow.stop();
        return next++;
    };
    const auto read = [&](std::size_t block) {
        const auto some = std::span(present).subspan(block * step);
        ReadRows& made = places[block % inFlight].emplace(rows, some.first(std::min(step, some.size())));
        for (std::size_t row = 0; row < made.paths().size(); ++row)
            made.results.push_back(make(made.row(row)));
        return block;
    };
    const auto pass = [&](std::size_t block) {
        use(*places[block % inFlight]);
        places[block % inFlight].reset();
    };
    if (blocks == 0) return;
    if (blocks == 1) return pass(read(0));  // no work for two
    using tbb::filter_mode;
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_pipeline(inFlight,
                               tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, choose) &
                                   tbb::make_filter<std::size_t, std::size_t>(filter_mode::parallel, read) &
                                   tbb::make_filter<std::size_t, void>(filter_mode::serial_in_order, pass));
    });
}

void Rows::pick(CallPathId path, std::span<const LocationId> locations, std::span<double> values) const {
    std::vector<double> scratch(locations_);
    const auto all = row(path, scratch);
    std::ranges::transform(locations, values.begin(), [&](LocationId location) {
        return all.empty() ? missing_ : all[location.index()];
    });
}

std::shared_ptr<const SeverityTable> Rows::table() const {
    std::vector<CallPathId> present;
    for (std::size_t at = 0; at < callPaths_; ++at)
        if (hasRow(CallPathId(at))) present.emplace_back(at);
    const std::size_t step = rowsPerBlock(locations_);
    std::vector<std::optional<ReadRows>> blocks((present.size() + step - 1) / step);
    // Isolated, so that a thread that waits here does not begin work that wants the same table.
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t at) {
            const auto paths = std::span<const CallPathId>(present).subspan(at * step);
            blocks[at].emplace(*this, paths.first(std::min(step, paths.size())));
        });
    });
    auto table = std::make_shared<SeverityTable>(callPaths_, locations_, missing_);
    for (auto& block : blocks)
        if (!block->paths().empty()) table->adoptRows(block->take(), block->paths());
    return table;
}

bool Rows::allMissing(std::span<const double> values) const {
    return std::ranges::all_of(values, [this](double value) { return value == missing_; });
}

RowsPtr rowsOf(std::shared_ptr<const SeverityTable> table) {
    return std::make_shared<TableRows>(std::move(table));
}

std::size_t rowsPerBlock(std::size_t locations) {
    const std::size_t rows = kBlockValues / std::max<std::size_t>(locations, 1);
    if (rows >= kRowsTogether) return rows / kRowsTogether * kRowsTogether;
    return std::bit_floor(std::max<std::size_t>(rows, 1));
}

namespace {

template <class Combine>
void combineIntoParent(SeverityTable& table, const Parents& parents, CallPathId path, Combine combine) {
    const auto& up = parents[path.index()];
    if (!up || !table.hasRow(path)) return;
    const auto parent = table.editRow(*up);
    const auto own = table.row(path);
    std::transform(parent.begin(), parent.end(), own.begin(), parent.begin(), combine);
}

}  // namespace

Parents parentsOf(const CallTree& tree) {
    Parents parents;
    parents.reserve(tree.size());
    for (const CallPathId path : tree.ids()) parents.push_back(tree.parent(path));
    return parents;
}

void makeInclusive(SeverityTable& table, const Parents& parents) {
    for (std::size_t at = parents.size(); at-- > 0;)  // children before their parents
        combineIntoParent(table, parents, CallPathId(at), std::plus<>());
}

void makeExclusive(SeverityTable& table, const Parents& parents) {
    // Parents first: when a call path is subtracted from its parent, nothing was subtracted from itself yet.
    for (std::size_t at = 0; at < parents.size(); ++at)
        combineIntoParent(table, parents, CallPathId(at), std::minus<>());
}

}  // namespace holos::algebra
