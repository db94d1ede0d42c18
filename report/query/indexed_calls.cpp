// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/indexed_calls.h"

#include <algorithm>
#include <numeric>
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
          locations_(locationsFor(definitions_, question_, kLocation, kProcess, kThread)) {}

    bool next() override {
        while (at_ + 1 >= rows_.size()) {
            if (!readBlock()) return false;
            at_ = static_cast<std::size_t>(-1);
        }
        ++at_;
        return true;
    }

    Value value(std::size_t column) const override {
        const trace::Location& location = definitions_[locations_[location_ - 1]];
        switch (column) {
            case kLocation:
                return static_cast<std::int64_t>(locations_[location_ - 1].index());
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
                index_ = run_.renewedCallIndex();
                index_->read(block_, fact, values);
            }
        }
        return values;
    }

    bool goToNextBlock() {
        if (++block_ < end_) return true;
        for (; location_ < locations_.size(); ++location_) {
            const LocationId location = locations_[location_];
            wanted_ = wantedBy(definitions_, question_, &index_->iterations(definitions_[location].process));
            std::tie(block_, end_) = index_->blocksOf(location);
            if (block_ == end_ || wanted_.isNone()) continue;
            ++location_;
            return true;
        }
        block_ = end_ = 0;
        return false;
    }

    /// The next block in which there may be calls that are wanted.
    bool readBlock() {
        while (goToNextBlock()) {
            if (run_.stopped()) throw Stopped();
            const CallBlock& block = index_->block(block_);
            if (block.firstEnter() > std::min(wanted_.toStart, wanted_.toEnd) ||
                block.lastEnter < wanted_.fromStart ||
                definitions_.seconds(block.longest) < wanted_.leastDuration)
                continue;
            for (auto& each : columns_) each.second = false;
            rows_.resize(block.rows);
            std::iota(rows_.begin(), rows_.end(), std::uint32_t{0});
            chooseRows(block);
            if (!rows_.empty()) return true;
        }
        rows_.clear();
        return false;
    }

    /// Columns are only looked at where not all of their values are wanted.
    void chooseRows(const CallBlock& block) {
        if (!wanted_.regions.empty())
            std::erase_if(rows_, [&](std::uint32_t row) { return !wanted_.hasRegion(regionAt(row)); });
        if (!wanted_.begins(block.firstEnter()) || !wanted_.begins(block.lastEnter)) {
            const auto& enter = column(CallFact::Enter);
            std::erase_if(rows_, [&](std::uint32_t row) { return !wanted_.begins(enter[row]); });
        }
        if (wanted_.leastDuration > 0) {
            const auto& duration = column(CallFact::Duration);
            std::erase_if(rows_, [&](std::uint32_t row) {
                return definitions_.seconds(duration[row]) < wanted_.leastDuration;
            });
        }
        if (block.lastLeave > wanted_.toEnd) {
            const auto& enter = column(CallFact::Enter);
            const auto& duration = column(CallFact::Duration);
            std::erase_if(rows_,
                          [&](std::uint32_t row) { return enter[row] + duration[row] > wanted_.toEnd; });
        }
    }

    Run& run_;
    const trace::Definitions& definitions_;
    mutable std::shared_ptr<const CallIndex> index_;
    Question question_;
    std::vector<LocationId> locations_;
    std::size_t location_ = 0;  ///< behind the present one
    Wanted wanted_;             ///< of it
    std::size_t block_ = 0;
    std::size_t end_ = 0;  ///< behind its last block
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
