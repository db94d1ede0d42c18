// SPDX-License-Identifier: BSD-3-Clause
// Statistics of single calls: of each call path in each thread, what its calls took and counted.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "report/query/call_index.h"
#include "report/query/event_stream.h"
#include "report/query/tables.h"

namespace holos::query {

namespace {

using analyzer::RunRecords;
using analyzer::replay::CounterValue;
using analyzer::replay::HeardReading;
using analyzer::replay::LeftCall;
namespace trace = analyzer::trace;
namespace replay = analyzer::replay;
using trace::LocationId;
using trace::Ticks;

enum : std::size_t {
    kLocation,
    kProcess,
    kThread,
    kRegion,
    kFile,
    kLine,
    kPath,
    kMetric,
    kUnit,
    kCalls,
    kSum,
    kMean,
    kLeast,
    kMost,
    kDeviation
};

constexpr std::string_view kTime = "time";

/// Of the values of single calls, which come one after the other.
class Spread {
  public:
    /// `calls` with the same value each.
    void add(double value, double calls) {
        calls_ += calls;
        const double before = value - mean_;
        mean_ += before * calls / calls_;
        squares_ += calls * before * (value - mean_);
        least_ = std::min(least_, value);
        most_ = std::max(most_, value);
    }
    double calls() const { return calls_; }
    double mean() const { return mean_; }
    double least() const { return least_; }
    double most() const { return most_; }
    /// Of one call nobody knows.
    std::optional<double> deviation() const {
        return calls_ > 1 ? std::optional(std::sqrt(squares_ / (calls_ - 1))) : std::nullopt;
    }

  private:
    double calls_ = 0;
    double mean_ = 0;
    double squares_ = 0;  ///< of the distances from the mean
    double least_ = std::numeric_limits<double>::infinity();
    double most_ = -std::numeric_limits<double>::infinity();
};

/// Time, or a counter.
using MetricNumber = std::optional<trace::MemberId>;

/// What a row is of, in a location.
struct Key {
    std::int64_t path;  ///< number of its text; `kNoPath`: it is not known
    trace::RegionId region;
    MetricNumber metric = {};
    friend auto operator<=>(const Key&, const Key&) = default;
};
using Spreads = std::map<Key, Spread>;

struct Row {
    LocationId location;
    Key key;
    Spread spread;
};

/// What growing counters were when they were read, as far back as calls that are not over need it: one for
/// the start of each, and the last one.
class Readings {
  public:
    void add(Ticks time, std::span<const CounterValue> values) {
        known_.push_back({time, {values.begin(), values.end()}});
    }
    /// Null where none was read just then.
    const std::vector<CounterValue>* at(Ticks time) const {
        const auto later = std::ranges::upper_bound(known_, time, {}, &Reading::time);
        if (later == known_.begin() || std::prev(later)->time != time) return nullptr;
        return &std::prev(later)->values;
    }
    /// All calls that are not over began at this time or before.
    void forgetAfter(Ticks time) {
        if (known_.empty() || known_.back().time <= time) return;
        Reading last = std::move(known_.back());
        while (!known_.empty() && known_.back().time > time) known_.pop_back();
        known_.push_back(std::move(last));
    }

  private:
    struct Reading {
        Ticks time;
        std::vector<CounterValue> values;
    };
    std::vector<Reading> known_;
};

/// From the replay of one location.
class Statistics final : public replay::CallListener {
  public:
    /// `pathOf`: of the location's nodes.
    Statistics(const trace::Definitions& definitions, const Question& question,
               const std::vector<std::optional<algebra::CallPathId>>& pathOf, const EventStream<Row>& stream)
        : definitions_(definitions), question_(question), pathOf_(pathOf), stream_(stream) {}

    void standsFor(std::uint64_t calls) override { repeated_ = calls; }
    void read(const HeardReading& reading) override {
        if (!reading.isSample) readings_[reading.metricClass].add(reading.time, reading.values);
    }
    void left(const LeftCall& call) override {
        if (stream_.isClosed()) throw Stopped();
        const auto calls = static_cast<double>(std::exchange(repeated_, 1));
        if (question_.mayBe(kRegion, definitions_[call.region].name)) note(call, calls);
        const Ticks since =
            call.around.empty() ? std::numeric_limits<Ticks>::min() : call.around.back().enter;
        for (auto& [metricClass, readings] : readings_) readings.forgetAfter(since);
    }

    const Spreads& spreads() const { return spreads_; }

  private:
    void note(const LeftCall& call, double calls) {
        const std::size_t node = call.node.index();
        Key key{kNoPath, call.region};
        if (node < pathOf_.size() && pathOf_[node])
            key.path = static_cast<std::int64_t>(pathOf_[node]->index());
        if (question_.mayBe(kMetric, kTime))
            spreads_[key].add(definitions_.seconds(call.leave - call.enter) / calls, calls);
        for (const auto& [metricClass, readings] : readings_) {
            const auto* const begin = readings.at(call.enter);
            const auto* const end = readings.at(call.leave);
            if (begin == nullptr || end == nullptr) continue;
            const auto& members = definitions_.metricClasses[metricClass.index()].members;
            for (std::size_t i = 0; i < std::min({members.size(), begin->size(), end->size()}); ++i)
                noteCounter(key, members[i], (*begin)[i], (*end)[i], calls);
        }
    }

    void noteCounter(Key key, trace::MemberId id, CounterValue begin, CounterValue end, double calls) {
        const trace::MetricMember& member = definitions_.metricMembers[id.index()];
        if (member.mode != trace::MetricMode::AccumulatedSinceStart || !question_.mayBe(kMetric, member.name))
            return;
        const double growth =
            member.type == trace::MetricType::Real
                ? end.real - begin.real
                : static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(end.integer) -
                                                                static_cast<std::uint64_t>(begin.integer)));
        key.metric = id;
        if (std::isfinite(growth)) spreads_[key].add(member.scale * growth / calls, calls);
    }

    const trace::Definitions& definitions_;
    const Question& question_;
    const std::vector<std::optional<algebra::CallPathId>>& pathOf_;
    const EventStream<Row>& stream_;
    std::map<trace::MetricClassId, Readings> readings_;
    Spreads spreads_;
    std::uint64_t repeated_ = 1;
};

/// Times of the calls of a location, from the index: the same as from its replay, as calls stand there in the
/// order in which they end.
Spreads spreadsFrom(const CallIndex& index, LocationId location, const trace::Definitions& definitions,
                    const Question& question, const std::atomic<bool>& stopped) {
    Spreads spreads;
    // A call path is nearly always of one region.
    std::vector<std::pair<std::int64_t, Spread*>> lastOf(index.pathTexts().size() + 1);
    std::vector<std::int64_t> paths, regions, durations, counts;
    const auto [first, end] = index.blocksOf(location);
    for (std::size_t block = first; block < end; ++block) {
        if (stopped) throw Stopped();
        index.read(block, CallFact::Path, paths);
        index.read(block, CallFact::Region, regions);
        index.read(block, CallFact::Duration, durations);
        index.read(block, CallFact::Count, counts);
        for (std::size_t row = 0; row < regions.size(); ++row) {
            const trace::RegionId region(static_cast<std::size_t>(regions[row]));
            if (!question.mayBe(kRegion, definitions[region].name)) continue;
            const auto calls = static_cast<double>(counts[row]);
            auto& [lastRegion, spread] = lastOf[static_cast<std::size_t>(paths[row] - kNoPath)];
            if (spread == nullptr || lastRegion != regions[row])
                std::tie(lastRegion, spread) = std::pair(regions[row], &spreads[{paths[row], region}]);
            spread->add(definitions.seconds(durations[row]) / calls, calls);
        }
    }
    return spreads;
}

class Rows final : public Cursor {
  public:
    Rows(Run& run, Question question)
        : records_(run.records()),
          stopped_(run.stopped()),
          definitions_(records_.definitions()),
          question_(std::move(question)) {
        if (!asksForCounters()) index_ = run.callIndex(false);
        if (!index_) records_.tree();
        texts_ = index_ ? &index_->pathTexts() : &records_.pathTexts();
        stream_.emplace([this](EventStream<Row>& stream) { make(stream); });
    }

    bool next() override {
        row_ = stream_->next();
        return row_ != nullptr;
    }
    Value value(std::size_t column) const override {
        const trace::Location& location = definitions_[row_->location];
        const trace::Region& region = definitions_[row_->key.region];
        switch (column) {
            case kLocation:
                return static_cast<std::int64_t>(row_->location.index());
            case kProcess:
                return static_cast<std::int64_t>(location.process.index());
            case kThread:
                return std::int64_t{location.rank};
            case kRegion:
                return std::string_view(region.name);
            case kFile:
                return region.file.empty() ? Value() : Value(std::string_view(region.file));
            case kLine:
                return region.beginLine == 0 ? Value() : Value(std::int64_t{region.beginLine});
            case kPath:
                return pathText();
            case kMetric:
                return row_->key.metric ? std::string_view(member().name) : kTime;
            case kUnit:
                return row_->key.metric ? std::string_view(member().unit) : std::string_view("sec");
            default:
                return number(column, row_->spread);
        }
    }

  private:
    const trace::MetricMember& member() const {
        return definitions_.metricMembers[row_->key.metric->index()];
    }

    static Value number(std::size_t column, const Spread& spread) {
        switch (column) {
            case kCalls:
                return static_cast<std::int64_t>(spread.calls());
            case kSum:
                return spread.mean() * spread.calls();
            case kMean:
                return spread.mean();
            case kLeast:
                return spread.least();
            case kMost:
                return spread.most();
            default:
                return spread.deviation() ? Value(*spread.deviation()) : Value();
        }
    }

    Value pathText() const {
        if (row_->key.path == kNoPath) return {};
        return std::string_view((*texts_)[static_cast<std::size_t>(row_->key.path)]);
    }

    bool asksForCounters() const {
        return std::ranges::any_of(definitions_.metricMembers, [this](const trace::MetricMember& member) {
            return member.mode == trace::MetricMode::AccumulatedSinceStart &&
                   question_.mayBe(kMetric, member.name);
        });
    }

    void make(EventStream<Row>& stream) {
        for (const LocationId location : locationsFor(definitions_, question_, kLocation, kProcess, kThread))
            for (const auto& [key, spread] : spreadsOf(location, stream)) stream.add({location, key, spread});
    }

    Spreads spreadsOf(LocationId location, const EventStream<Row>& stream) {
        if (index_ && !question_.mayBe(kMetric, kTime)) return {};
        if (index_) {
            try {
                return spreadsFrom(*index_, location, definitions_, question_, stopped_);
            } catch (const Error&) {  // it is damaged: the trace says the same
            }
        }
        Statistics statistics(definitions_, question_, records_.tree().pathOf[location.index()], stream);
        records_.readCalls(location, statistics, true);
        return statistics.spreads();
    }

    RunRecords& records_;
    const std::atomic<bool>& stopped_;
    const trace::Definitions& definitions_;
    Question question_;
    std::shared_ptr<const CallIndex> index_;  ///< null: from the events
    const std::vector<std::string>* texts_ = nullptr;
    const Row* row_ = nullptr;
    std::optional<EventStream<Row>> stream_;
};

class StatisticsTable final : public Table {
  public:
    explicit StatisticsTable(Run& run) : run_(run) {}
    const char* name() const override { return "statistics"; }
    const char* meaning() const override {
        return "what single calls of a call path took, or counted, in a thread";
    }
    const std::vector<Column>& columns() const override {
        static const std::vector<Column> kColumns{
            {"location", Kind::Integer, Gain::Direct, "number of the thread among all"},
            {"process", Kind::Integer, Gain::Direct, "number of its process: the MPI rank"},
            {"thread", Kind::Integer, Gain::Direct, "number in its process"},
            {"region", Kind::Text, Gain::Fewer,
             "what is called: a function, loop, construct, region of the user"},
            {"file", Kind::Text, Gain::None, "where it stands"},
            {"line", Kind::Integer, Gain::None, "where it begins"},
            {"call_path", Kind::Text, Gain::None, "names from the root, between /"},
            {"metric", Kind::Text, Gain::Fewer, "time, or a counter that was read at enter and leave"},
            {"unit", Kind::Text, Gain::None, "of the values"},
            {"calls", Kind::Integer, Gain::None, "how many have such a value"},
            {"sum", Kind::Real, Gain::None, "of all of them, with the calls within them"},
            {"mean", Kind::Real, Gain::None, "of one call"},
            {"least", Kind::Real, Gain::None, "of one call"},
            {"most", Kind::Real, Gain::None, "of one call"},
            {"deviation", Kind::Real, Gain::None, "standard deviation between calls; nothing for one call"}};
        return kColumns;
    }
    double size() const override {
        constexpr double kUsual = 10'000;
        return kUsual;
    }
    std::unique_ptr<Cursor> ask(Question question) override {
        return std::make_unique<Rows>(run_, std::move(question));
    }

  private:
    Run& run_;
};

}  // namespace

void addStatisticsTable(Run& run, Tables& tables) {
    tables.push_back(std::make_unique<StatisticsTable>(run));
}

}  // namespace holos::query
