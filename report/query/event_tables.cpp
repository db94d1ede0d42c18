// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <queue>
#include <utility>

#include "base/error.h"
#include "base/stopped.h"
#include "report/query/call_index.h"
#include "report/query/event_stream.h"
#include "report/query/run.h"
#include "report/query/tables.h"

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
    /// The one before, of which blocks and texts may be in use.
    mutable std::shared_ptr<const CallIndex> damaged_;
    Question question_;
    std::vector<LocationId> locations_;
    std::vector<Wanted> wanted_;                               ///< by number of the wanted location
    std::vector<std::pair<std::size_t, std::size_t>> blocks_;  ///< such a number, and that of the block
    std::size_t next_ = 0;                                     ///< of them
    Ticks leastDuration_ = std::numeric_limits<Ticks>::min();
    std::size_t location_ = 0;  ///< number of the present one
    std::size_t block_ = 0;
    /// Of the present block, and whether they are read.
    mutable std::array<std::pair<std::vector<std::int64_t>, bool>, kCallFacts> columns_;
    std::vector<std::uint32_t> rows_;  ///< of the present block, that are wanted
    std::size_t at_ = 0;               ///< among them
};

/// The rows of the table of calls, from the index: the same as from the trace, bit for bit. Where a part of
/// the index turns out to be damaged, it is made anew and the rows go on.
std::unique_ptr<Cursor> indexedCalls(Run& run, std::shared_ptr<const CallIndex> index, Question question) {
    return std::make_unique<IndexedCalls>(run, std::move(index), std::move(question));
}

using analyzer::RunRecords;
using analyzer::replay::HeardReading;
using analyzer::replay::LeftCall;
namespace trace = analyzer::trace;
namespace replay = analyzer::replay;
using trace::Ticks;

/// Events know at once; it is no failure.
struct Enough {};

Value pathText(const std::vector<std::string>& texts, const analyzer::paths::MergedTree& tree,
               LocationId location, replay::NodeId node) {
    const auto& pathOf = tree.pathOf[location.index()];
    if (node.index() >= pathOf.size() || !pathOf[node.index()]) return {};
    return std::string_view(texts[pathOf[node.index()]->index()]);
}

namespace calling {

/// From the replay of one location to rows that are wanted.
class Rows final : public CallRows {
  public:
    Rows(const trace::Definitions& definitions, LocationId location, const Wanted& wanted, bool endsInOrder,
         EventStream<Row>& stream)
        : CallRows(location),
          definitions_(definitions),
          wanted_(wanted),
          endsInOrder_(endsInOrder),
          stream_(stream) {}

  private:
    void take(const Row& row, const LeftCall& one) override {
        if (stream_.isClosed()) throw Stopped();
        if (wanted_.begins(row.enter) && row.leave <= wanted_.toEnd && wanted_.hasRegion(row.region) &&
            definitions_.seconds(row.leave - row.enter) >= wanted_.leastDuration)
            stream_.add(row);
        if (endsInOrder_ && isBehind(one)) throw Enough();
    }
    /// No call that is wanted is open, or comes.
    bool isBehind(const LeftCall& one) const {
        if (one.leave > wanted_.toEnd) return true;
        if (one.leave <= wanted_.toStart) return false;
        return std::ranges::none_of(one.around, [&](const replay::Frame& frame) {
            return wanted_.begins(frame.enter) && wanted_.hasRegion((*one.tree)[frame.node].region);
        });
    }

    const trace::Definitions& definitions_;
    const Wanted& wanted_;
    bool endsInOrder_;
    EventStream<Row>& stream_;
};

bool hasTasks(const trace::Definitions& definitions) {
    return definitions.attributeOfTasks ||
           std::ranges::any_of(definitions.regions, [](const trace::Region& region) {
               return region.role == trace::Role::Task || region.role == trace::Role::TaskCreate;
           });
}

class Calls final : public Cursor {
  public:
    Calls(RunRecords& records, Question question)
        : records_(records),
          definitions_(records.definitions()),
          question_(std::move(question)),
          locations_(locationsFor(definitions_, question_, kLocation, kProcess, kThread)),
          knowsPaths_(question_.wants(kPath) || asksForIterations()),
          tasks_(hasTasks(definitions_)) {
        if (knowsPaths_) {
            texts_ = &records_.pathTexts();
            tree_ = &records_.tree();
        }
        if (asksForIterations())
            for (const LocationId location : locations_) {
                const trace::ProcessId process = definitions_[location].process;
                if (iterations_.size() <= process.index()) iterations_.resize(process.index() + 1, nullptr);
                iterations_[process.index()] = &records_.iterations(process);
            }
        for (const LocationId location : locations_)
            wanted_.push_back(
                wantedBy(definitions_, question_, iterationsOf(definitions_[location].process)));
        stream_.emplace([this](EventStream<Row>& stream) { make(stream); });
    }

    bool next() override {
        row_ = stream_->next();
        return row_ != nullptr;
    }
    Value value(std::size_t column) const override {
        const trace::Location& location = definitions_[row_->location];
        switch (column) {
            case kLocation:
                return static_cast<std::int64_t>(row_->location.index());
            case kProcess:
                return static_cast<std::int64_t>(location.process.index());
            case kThread:
                return std::int64_t{location.rank};
            case kRegion:
                return std::string_view(definitions_[row_->region].name);
            case kPath:
                return tree_ == nullptr ? Value() : pathText(*texts_, *tree_, row_->location, row_->node);
            case kStart:
                return definitions_.seconds(row_->enter);
            case kEnd:
                return definitions_.seconds(row_->leave);
            case kDuration:
                return definitions_.seconds(row_->leave - row_->enter);
            case kOwn:
                return definitions_.seconds(row_->own);
            case kIteration:
                return iterationAt(iterationsOf(location.process), row_->enter);
            case kCount:
                return static_cast<std::int64_t>(row_->count);
            case kSent:
                return static_cast<std::int64_t>(row_->sent);
            case kReceived:
                return static_cast<std::int64_t>(row_->received);
            default:
                return static_cast<std::int64_t>(row_->depth);
        }
    }

  private:
    bool asksForIterations() const { return question_.wants(kIteration); }

    /// Null where nobody asks for them.
    const analyzer::Iterations* iterationsOf(trace::ProcessId process) const {
        return process.index() < iterations_.size() ? iterations_[process.index()] : nullptr;
    }

    void make(EventStream<Row>& stream) {
        for (std::size_t i = 0; i < locations_.size(); ++i) {
            const Wanted& wanted = wanted_[i];
            if (wanted.isNone()) continue;
            Rows rows(definitions_, locations_[i], wanted, !tasks_, stream);
            try {
                records_.readCalls(locations_[i], rows, knowsPaths_);
            } catch (const Enough&) {
                continue;
            }
        }
    }

    RunRecords& records_;
    const trace::Definitions& definitions_;
    Question question_;
    std::vector<LocationId> locations_;
    bool knowsPaths_;
    bool tasks_;
    const std::vector<std::string>* texts_ = nullptr;
    const analyzer::paths::MergedTree* tree_ = nullptr;
    std::vector<const analyzer::Iterations*> iterations_;  ///< by process
    std::vector<Wanted> wanted_;                           ///< by wanted location
    const Row* row_ = nullptr;
    std::optional<EventStream<Row>> stream_;
};

/// From the index, where there is one or all of the run's calls are wanted.
std::unique_ptr<Cursor> cursorOf(Run& run, Question question) {
    const bool isOfAll =
        locationsFor(run.records().definitions(), question, kLocation, kProcess, kThread).size() ==
        run.records().definitions().locations.size();
    if (auto index = run.callIndex(question.isWhole && isOfAll))
        return indexedCalls(run, std::move(index), std::move(question));
    return std::make_unique<Calls>(run.records(), std::move(question));
}

}  // namespace calling

namespace reading {

enum : std::size_t { kLocation, kProcess, kThread, kTime, kMetric, kUnit, kValue, kPath, kSample };

struct Row {
    LocationId location;
    replay::NodeId node;
    trace::MemberId member;
    Ticks time = 0;
    double value = 0;
    bool isSample = false;
};

class Rows final : public replay::CallListener {
  public:
    Rows(const trace::Definitions& definitions, LocationId location, const std::string* metric,
         EventStream<Row>& stream)
        : definitions_(definitions), location_(location), metric_(metric), stream_(stream) {}

    void read(const HeardReading& one) override {
        const auto& members = definitions_.metricClasses[one.metricClass.index()].members;
        for (std::size_t i = 0; i < std::min(members.size(), one.values.size()); ++i) {
            const trace::MetricMember& member = definitions_.metricMembers[members[i].index()];
            if (metric_ != nullptr && member.name != *metric_) continue;
            stream_.add(
                {location_, one.node, members[i], one.time, valueOf(member, one.values[i]), one.isSample});
        }
    }
    void left(const LeftCall&) override {
        if (stream_.isClosed()) throw Stopped();
    }

  private:
    static double valueOf(const trace::MetricMember& member, const replay::CounterValue& value) {
        switch (member.type) {
            case trace::MetricType::Signed:
                return member.scale * static_cast<double>(value.integer);
            case trace::MetricType::Unsigned:
                return member.scale * static_cast<double>(static_cast<std::uint64_t>(value.integer));
            case trace::MetricType::Real:
                return member.scale * value.real;
        }
        return 0;
    }

    const trace::Definitions& definitions_;
    LocationId location_;
    const std::string* metric_;
    EventStream<Row>& stream_;
};

class Readings final : public Cursor {
  public:
    Readings(RunRecords& records, Question question)
        : records_(records),
          definitions_(records.definitions()),
          question_(std::move(question)),
          locations_(locationsFor(definitions_, question_, kLocation, kProcess, kThread)),
          knowsPaths_(question_.wants(kPath)) {
        if (knowsPaths_) {
            texts_ = &records_.pathTexts();
            tree_ = &records_.tree();
        }
        stream_.emplace([this](EventStream<Row>& stream) {
            for (const LocationId location : locations_) {
                Rows rows(definitions_, location, question_.text(kMetric), stream);
                records_.readCalls(location, rows, knowsPaths_);
            }
        });
    }

    bool next() override {
        row_ = stream_->next();
        return row_ != nullptr;
    }
    Value value(std::size_t column) const override {
        const trace::Location& location = definitions_[row_->location];
        const trace::MetricMember& member = definitions_.metricMembers[row_->member.index()];
        switch (column) {
            case kLocation:
                return static_cast<std::int64_t>(row_->location.index());
            case kProcess:
                return static_cast<std::int64_t>(location.process.index());
            case kThread:
                return std::int64_t{location.rank};
            case kTime:
                return definitions_.seconds(row_->time);
            case kMetric:
                return std::string_view(member.name);
            case kUnit:
                return std::string_view(member.unit);
            case kValue:
                return std::isfinite(row_->value) ? Value(row_->value) : Value();
            case kPath:
                return tree_ == nullptr ? Value() : pathText(*texts_, *tree_, row_->location, row_->node);
            default:
                return std::int64_t{row_->isSample ? 1 : 0};
        }
    }

  private:
    RunRecords& records_;
    const trace::Definitions& definitions_;
    Question question_;
    std::vector<LocationId> locations_;
    bool knowsPaths_;
    const std::vector<std::string>* texts_ = nullptr;
    const analyzer::paths::MergedTree* tree_ = nullptr;
    const Row* row_ = nullptr;
    std::optional<EventStream<Row>> stream_;
};

}  // namespace reading

RecordedTable::Facts callsTable() {
    return {
        "calls",
        "each call of a region, in the order in which they end",
        {{"location", Kind::Integer, Gain::Direct, "number of the thread among all", true},
         {"process", Kind::Integer, Gain::Direct, "number of its process: the MPI rank", true},
         {"thread", Kind::Integer, Gain::Direct, "number in its process", true},
         {"region", Kind::Text, Gain::Fewer, "what is called", true},
         {"call_path", Kind::Text, Gain::None, "names from the root, between /"},
         {"start", Kind::Real, Gain::Fewer, "seconds since the trace's start"},
         {"end", Kind::Real, Gain::Fewer, "seconds since the trace's start"},
         {"duration", Kind::Real, Gain::Fewer, "seconds"},
         {"own", Kind::Real, Gain::None, "seconds without the calls within it"},
         {"iteration", Kind::Integer, Gain::Fewer, "of the outermost loop, from 1; nothing outside of it"},
         {"count", Kind::Integer, Gain::None, "calls that it stands for"},
         {"bytes_sent", Kind::Integer, Gain::None, "by messages and collective operations in it"},
         {"bytes_received", Kind::Integer, Gain::None, "by messages and collective operations in it"},
         {"depth", Kind::Integer, Gain::None, "number of recorded regions around it"}},
        0.5};
}

RecordedTable::Facts readingsTable() {
    return {"readings",
            "each value of a counter or metric as it was read, and each sample of the call stack",
            {{"location", Kind::Integer, Gain::Direct, "number of the thread among all"},
             {"process", Kind::Integer, Gain::Direct, "number of its process: the MPI rank"},
             {"thread", Kind::Integer, Gain::Direct, "number in its process"},
             {"time", Kind::Real, Gain::None, "seconds since the trace's start"},
             {"metric", Kind::Text, Gain::Fewer, "name"},
             {"unit", Kind::Text, Gain::None, "of the value"},
             {"value", Kind::Real, Gain::None, "as read: most counters grow from the start on"},
             {"call_path", Kind::Text, Gain::None, "where it was read, or the sample taken"},
             {"sample", Kind::Integer, Gain::None, "1: of the call stack"}},
            0.5};
}

}  // namespace

void addEventTables(Run& run, Tables& tables) {
    tables.push_back(std::make_unique<RecordedTable>(run, callsTable(), &calling::cursorOf));
    tables.push_back(std::make_unique<RecordedTable>(run, readingsTable(), &cursorOver<reading::Readings>));
}

}  // namespace holos::query
