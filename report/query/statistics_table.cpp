// SPDX-License-Identifier: BSD-3-Clause
// Statistics of single calls: of each call path in each thread, what its calls took and counted.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

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

struct Row {
    LocationId location;
    replay::NodeId node;
    trace::RegionId region;
    MetricNumber metric;
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
    Statistics(const trace::Definitions& definitions, const Question& question, EventStream<Row>& stream)
        : definitions_(definitions), question_(question), stream_(stream) {}

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

    void tell(LocationId location) const {
        for (const auto& [key, spread] : spreads_)
            stream_.add({location, key.node, regions_.at(key.node), key.metric, spread});
    }

  private:
    struct Key {
        replay::NodeId node;
        MetricNumber metric;
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    void note(const LeftCall& call, double calls) {
        regions_.emplace(call.node, call.region);
        if (question_.mayBe(kMetric, "time"))
            spreads_[{call.node, {}}].add(definitions_.seconds(call.leave - call.enter) / calls, calls);
        for (const auto& [metricClass, readings] : readings_) {
            const auto* const begin = readings.at(call.enter);
            const auto* const end = readings.at(call.leave);
            if (begin == nullptr || end == nullptr) continue;
            const auto& members = definitions_.metricClasses[metricClass.index()].members;
            for (std::size_t i = 0; i < std::min({members.size(), begin->size(), end->size()}); ++i)
                noteCounter(call.node, members[i], (*begin)[i], (*end)[i], calls);
        }
    }

    void noteCounter(replay::NodeId node, trace::MemberId id, CounterValue begin, CounterValue end,
                     double calls) {
        const trace::MetricMember& member = definitions_.metricMembers[id.index()];
        if (member.mode != trace::MetricMode::AccumulatedSinceStart || !question_.mayBe(kMetric, member.name))
            return;
        const double growth =
            member.type == trace::MetricType::Real
                ? end.real - begin.real
                : static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(end.integer) -
                                                                static_cast<std::uint64_t>(begin.integer)));
        if (std::isfinite(growth)) spreads_[{node, id}].add(member.scale * growth / calls, calls);
    }

    const trace::Definitions& definitions_;
    const Question& question_;
    EventStream<Row>& stream_;
    std::map<trace::MetricClassId, Readings> readings_;
    std::map<replay::NodeId, trace::RegionId> regions_;
    std::map<Key, Spread> spreads_;
    std::uint64_t repeated_ = 1;
};

class Rows final : public Cursor {
  public:
    Rows(RunRecords& records, Question question)
        : records_(records), definitions_(records.definitions()), question_(std::move(question)) {
        texts_ = &records_.pathTexts();
        tree_ = &records_.tree();
        stream_.emplace([this](EventStream<Row>& stream) { make(stream); });
    }

    bool next() override {
        row_ = stream_->next();
        return row_ != nullptr;
    }
    Value value(std::size_t column) const override {
        const trace::Location& location = definitions_[row_->location];
        const trace::Region& region = definitions_[row_->region];
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
                return row_->metric ? std::string_view(member().name) : std::string_view("time");
            case kUnit:
                return row_->metric ? std::string_view(member().unit) : std::string_view("sec");
            default:
                return number(column, row_->spread);
        }
    }

  private:
    const trace::MetricMember& member() const { return definitions_.metricMembers[row_->metric->index()]; }

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
        const auto& pathOf = tree_->pathOf[row_->location.index()];
        const std::size_t node = row_->node.index();
        if (node >= pathOf.size() || !pathOf[node]) return {};
        return std::string_view((*texts_)[pathOf[node]->index()]);
    }

    void make(EventStream<Row>& stream) {
        for (std::size_t i = 0; i < definitions_.locations.size(); ++i) {
            const trace::Location& one = definitions_.locations[i];
            if (!question_.mayBe(kLocation, static_cast<double>(i)) ||
                !question_.mayBe(kProcess, static_cast<double>(one.process.index())) ||
                !question_.mayBe(kThread, static_cast<double>(one.rank)))
                continue;
            Statistics statistics(definitions_, question_, stream);
            records_.readCalls(LocationId(i), statistics, true);
            statistics.tell(LocationId(i));
        }
    }

    RunRecords& records_;
    const trace::Definitions& definitions_;
    Question question_;
    const std::vector<std::string>* texts_ = nullptr;
    const analyzer::paths::MergedTree* tree_ = nullptr;
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
        return std::make_unique<Rows>(run_.records(), std::move(question));
    }

  private:
    Run& run_;
};

}  // namespace

void addStatisticsTable(Run& run, Tables& tables) {
    tables.push_back(std::make_unique<StatisticsTable>(run));
}

}  // namespace holos::query
