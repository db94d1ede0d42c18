// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/indexed_calls.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "base/error.h"
#include "base/stopped.h"
#include "report/query/call_rows.h"

namespace holos::query {

namespace {

using namespace call;
using trace::LocationId;

class IndexedCalls final : public Cursor {
  public:
    IndexedCalls(Run& run, std::shared_ptr<const CallIndex> index, Question question)
        : run_(run),
          definitions_(run.records().definitions()),
          index_(std::move(index)),
          question_(std::move(question)),
          locations_(locationsFor(definitions_, question_, kLocation, kProcess, kThread)) {
        for (std::size_t at = 0; at < locations_.size(); ++at) {
            const trace::ProcessId process = definitions_[locations_[at]].process;
            wanted_.push_back(wantedBy(definitions_, question_, &index_->iterations(process)));
            const auto [first, end] = index_->blocksOf(locations_[at]);
            for (std::size_t block = first; block < end && !wanted_[at].isNone(); ++block)
                blocks_.emplace_back(at, block);
        }
        constexpr std::uint64_t kMostSought = 1'000'000;
        if (question_.largest && question_.largest->column == kDuration && question_.largest->count > 0 &&
            question_.largest->count <= kMostSought)
            limitToLongest(question_.largest->count);
    }

    bool next() override {
        while (at_ + 1 >= rows_.size()) {
            if (!readBlock()) return false;
            at_ = static_cast<std::size_t>(-1);
        }
        ++at_;
        return true;
    }

    Value value(std::size_t column) const override {
        const trace::Location& location = definitions_[locations_[location_]];
        switch (column) {
            case kLocation:
                return static_cast<std::int64_t>(locations_[location_].index());
            case kProcess:
                return static_cast<std::int64_t>(location.process.index());
            case kThread:
                return std::int64_t{location.rank};
            case kRegion:
                return std::string_view(definitions_[regionAt(rows_[at_])].name);
            case kPath: {
                const std::int64_t path = fact(CallFact::Path);
                return path == kNoPath
                           ? Value()
                           : std::string_view(index_->pathTexts()[static_cast<std::size_t>(path)]);
            }
            case kStart:
                return definitions_.seconds(fact(CallFact::Enter));
            case kEnd:
                return definitions_.seconds(fact(CallFact::Enter) + fact(CallFact::Duration));
            case kDuration:
                return definitions_.seconds(fact(CallFact::Duration));
            case kOwn:
                return definitions_.seconds(fact(CallFact::Own));
            case kIteration:
                return iterationAt(&index_->iterations(location.process), fact(CallFact::Enter));
            case kCount:
                return fact(CallFact::Count);
            case kSent:
                return fact(CallFact::Sent);
            case kReceived:
                return fact(CallFact::Received);
            default:
                return fact(CallFact::Depth);
        }
    }

  private:
    std::int64_t fact(CallFact fact) const { return column(fact)[rows_[at_]]; }
    trace::RegionId regionAt(std::size_t row) const {
        return trace::RegionId(static_cast<std::size_t>(column(CallFact::Region)[row]));
    }

    /// Of the present block; read when it is asked for first.
    const std::vector<std::int64_t>& column(CallFact fact) const {
        auto& [values, isRead] = columns_[static_cast<std::size_t>(fact)];
        if (!std::exchange(isRead, true)) {
            try {
                index_->read(block_, fact, values);
            } catch (const Error&) {
                renew();
                index_->read(block_, fact, values);
            }
        }
        return values;
    }

    /// Of the same trace, an index has the same blocks each time.
    void renew() const {
        auto other = run_.renewedCallIndex();
        if (other->trace() != index_->trace())
            throw Error("is being changed", Place{.file = run_.archive().string()});
        damaged_ = std::exchange(index_, std::move(other));
    }

    /// The present block is this one; false where no call of it is wanted.
    bool take(std::size_t location, std::size_t number) {
        if (run_.stopped()) throw Stopped();
        location_ = location;
        block_ = number;
        const Wanted& wanted = wanted_[location];
        const CallBlock& block = index_->block(number);
        rows_.clear();
        if (block.firstEnter() > std::min(wanted.toStart, wanted.toEnd) ||
            block.lastEnter < wanted.fromStart || block.longest < leastDuration_ ||
            definitions_.seconds(block.longest) < wanted.leastDuration)
            return false;
        for (auto& each : columns_) each.second = false;
        rows_.resize(block.rows);
        std::iota(rows_.begin(), rows_.end(), std::uint32_t{0});
        chooseRows(block, wanted);
        return !rows_.empty();
    }

    /// On to the next block that has calls that are wanted.
    bool readBlock() {
        while (next_ < blocks_.size()) {
            const auto [location, block] = blocks_[next_++];
            if (take(location, block)) return true;
        }
        rows_.clear();
        return false;
    }

    /// Leaves the calls that are as long as the last one of the so many longest: blocks with longer ones are
    /// looked at first, and those that cannot have any of them not at all.
    void limitToLongest(std::uint64_t count) {
        auto byLength = blocks_;
        std::ranges::stable_sort(byLength, std::greater(),
                                 [this](const auto& each) { return index_->block(each.second).longest; });
        std::priority_queue<Ticks, std::vector<Ticks>, std::greater<>> longest;
        for (const auto& [location, block] : byLength) {
            if (longest.size() == count && index_->block(block).longest <= longest.top()) break;
            if (!take(location, block)) continue;
            const auto& duration = column(CallFact::Duration);
            for (const std::uint32_t row : rows_) {
                if (longest.size() == count && duration[row] <= longest.top()) continue;
                longest.push(duration[row]);
                if (longest.size() > count) longest.pop();
            }
        }
        if (longest.size() == count) leastDuration_ = longest.top();
        rows_.clear();
    }

    /// Columns are only looked at where not all of their values are wanted.
    void chooseRows(const CallBlock& block, const Wanted& wanted) {
        if (!wanted.regions.empty())
            std::erase_if(rows_, [&](std::uint32_t row) { return !wanted.hasRegion(regionAt(row)); });
        if (!wanted.begins(block.firstEnter()) || !wanted.begins(block.lastEnter)) {
            const auto& enter = column(CallFact::Enter);
            std::erase_if(rows_, [&](std::uint32_t row) { return !wanted.begins(enter[row]); });
        }
        if (wanted.leastDuration > 0 || leastDuration_ > 0) {
            const auto& duration = column(CallFact::Duration);
            std::erase_if(rows_, [&](std::uint32_t row) {
                return duration[row] < leastDuration_ ||
                       definitions_.seconds(duration[row]) < wanted.leastDuration;
            });
        }
        if (block.lastLeave > wanted.toEnd) {
            const auto& enter = column(CallFact::Enter);
            const auto& duration = column(CallFact::Duration);
            std::erase_if(rows_,
                          [&](std::uint32_t row) { return enter[row] + duration[row] > wanted.toEnd; });
        }
    }

    Run& run_;
    const trace::Definitions& definitions_;
    mutable std::shared_ptr<const CallIndex> index_;
    mutable std::shared_ptr<const CallIndex>
        damaged_;  ///< the one before, of which blocks and texts may be in use
    Question question_;
    std::vector<LocationId> locations_;
    std::vector<Wanted> wanted_;                               ///< by number of the wanted location
    std::vector<std::pair<std::size_t, std::size_t>> blocks_;  ///< such a number, and that of the block
    std::size_t next_ = 0;                                     ///< of them
    Ticks leastDuration_ = std::numeric_limits<Ticks>::min();
    std::size_t location_ = 0;  ///< number of the present one
    std::size_t block_ = 0;
    mutable std::array<std::pair<std::vector<std::int64_t>, bool>, kCallFacts>
        columns_;                      ///< of the present block, and whether they are read
    std::vector<std::uint32_t> rows_;  ///< of the present block, that are wanted
    std::size_t at_ = 0;               ///< among them
};

}  // namespace

std::unique_ptr<Cursor> indexedCalls(Run& run, std::shared_ptr<const CallIndex> index, Question question) {
    return std::make_unique<IndexedCalls>(run, std::move(index), std::move(question));
}

}  // namespace holos::query
