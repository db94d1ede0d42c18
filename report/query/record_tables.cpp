// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/patterns/list.h"
#include "analyzer/run_records.h"
#include "analyzer/trace/comm_members.h"
#include "report/query/tables.h"

namespace holos::query {

namespace {

/// What a location did in an interval, most of all.
struct Activity {
    analyzer::replay::NodeId node;      ///< of the tree of its location
    analyzer::trace::Ticks ticks = -1;  ///< spent there; negative: nothing is known
};

/// What those who were waited for did meanwhile.
///
///     waiter   ──████ MPI_Recv ████──
///     culprit  ───compute──┤io├─send─      it was compute, for half of the wait
///
/// The calls of each culprit are read once. What is kept grows with the number of waits.
class Culprits {
  public:
    /// Reads them. Throws as `RunRecords::readCalls`.
    explicit Culprits(analyzer::RunRecords& records);

    /// In a wait of a location, by its number among those that last some time, as `patterns::visitAllWaits`
    /// visits them. Where nobody in particular was waited for, nothing is known.
    const Activity& during(analyzer::trace::LocationId waiter, std::size_t number) const {
        return byWaiter_[waiter.index()][number];
    }

  private:
    std::vector<std::vector<Activity>> byWaiter_;
};

using analyzer::replay::CallListener;
using analyzer::replay::Frame;
using analyzer::replay::LeftCall;
using analyzer::replay::NodeId;
using analyzer::trace::LocationId;
using analyzer::trace::Ticks;

/// A wait, as its culprit has it.
struct Interval {
    Ticks begin = 0;
    Ticks end = 0;
    LocationId waiter;
    std::size_t number = 0;  ///< of the wait
};

/// Goes along the calls of a culprit, and adds up what it did in each of the intervals.
class Meanwhile final : public CallListener {
  public:
    /// The intervals by begin. `tell` takes each with what was done in it.
    template <class Tell>
    Meanwhile(const std::vector<Interval>& intervals, Tell tell)
        : intervals_(intervals), tell_(std::move(tell)) {}

    /// From the end of what is known on, time belongs to the frame that was entered last.
    void left(const LeftCall& call) override {
        const Frame* inner = nullptr;
        for (const Frame& frame : call.around) {
            if (inner != nullptr) pass(inner->node, frame.enter);
            inner = &frame;
        }
        if (inner != nullptr) pass(inner->node, call.enter);
        pass(call.node, call.leave);
    }
    /// Behind the last call.
    void end() {
        for (const Open& open : open_) settle(open);
        open_.clear();
    }

  private:
    struct Open {
        const Interval* interval;
        std::map<NodeId, Ticks> spent;
    };

    void pass(NodeId node, Ticks until) {
        if (until <= now_) return;
        for (; next_ < intervals_.size() && intervals_[next_].begin < until; ++next_)
            open_.push_back({&intervals_[next_], {}});
        for (Open& open : open_) {
            const Ticks spent = std::min(until, open.interval->end) - std::max(now_, open.interval->begin);
            if (spent > 0) open.spent[node] += spent;
        }
        now_ = until;
        std::erase_if(open_, [this](const Open& open) {
            if (open.interval->end > now_) return false;
            settle(open);
            return true;
        });
    }
    /// Of equal ones the first in the tree.
    void settle(const Open& open) const {
        const auto most =
            std::ranges::max_element(open.spent, {}, [](const auto& entry) { return entry.second; });
        if (most != open.spent.end()) tell_(*open.interval, Activity{most->first, most->second});
    }

    const std::vector<Interval>& intervals_;
    std::function<void(const Interval&, const Activity&)> tell_;
    std::size_t next_ = 0;
    std::vector<Open> open_;
    Ticks now_ = std::numeric_limits<Ticks>::min();
};

Culprits::Culprits(analyzer::RunRecords& records) {
    const analyzer::patterns::JudgedTrace run = records.judged();
    const std::size_t count = records.definitions().locations.size();
    byWaiter_.resize(count);
    std::vector<std::vector<Interval>> ofCulprit(count);
    for (std::size_t at = 0; at < count; ++at) {
        const LocationId waiter(at);
        analyzer::patterns::visitAllWaits(run, waiter, [&](const analyzer::patterns::SingleWait& wait) {
            if (wait.wait <= 0) return;
            if (wait.awaited && *wait.awaited != waiter)
                ofCulprit[wait.awaited->index()].push_back(
                    {wait.begin, wait.begin + wait.wait, waiter, byWaiter_[at].size()});
            byWaiter_[at].emplace_back();
        });
    }
    for (std::size_t culprit = 0; culprit < count; ++culprit) {
        std::vector<Interval>& intervals = ofCulprit[culprit];
        if (intervals.empty()) continue;
        std::ranges::stable_sort(intervals, {}, &Interval::begin);
        Meanwhile meanwhile(intervals, [this](const Interval& interval, const Activity& activity) {
            byWaiter_[interval.waiter.index()][interval.number] = activity;
        });
        records.readCalls(LocationId(culprit), meanwhile, true);
        meanwhile.end();
        intervals = {};
    }
}

using analyzer::RunRecords;
namespace trace = analyzer::trace;
namespace replay = analyzer::replay;
namespace patterns = analyzer::patterns;
using trace::LocationId;
using trace::ProcessId;
using trace::Ticks;

/// What both tables need to know of a run.
class Known {
  public:
    explicit Known(RunRecords& records)
        : records_(records), run_(records.judged()), tree_(records.tree()), texts_(records.pathTexts()) {}

    const patterns::JudgedTrace& run() const { return run_; }
    const trace::Definitions& definitions() const { return run_.trace.definitions; }
    Value path(LocationId location, replay::NodeId node) const {
        const auto path = pathOf(location, node);
        return path ? Value(std::string_view(texts_[path->index()])) : Value();
    }
    Value region(LocationId location, replay::NodeId node) const {
        const auto path = pathOf(location, node);
        if (!path) return {};
        return std::string_view(tree_.regions[tree_.tree[*path].region.index()].name);
    }
    Value iteration(LocationId location, Ticks time) const {
        const std::size_t number = records_.iterations(definitions()[location].process).at(time);
        return number == 0 ? Value() : Value(static_cast<std::int64_t>(number));
    }
    Value seconds(Ticks time) const { return definitions().seconds(time); }
    static Value number(std::size_t number) { return static_cast<std::int64_t>(number); }
    Value process(LocationId location) const { return number(definitions()[location].process.index()); }

  private:
    std::optional<algebra::CallPathId> pathOf(LocationId location, replay::NodeId node) const {
        const auto& paths = tree_.pathOf[location.index()];
        return node.index() < paths.size() ? paths[node.index()] : std::nullopt;
    }

    RunRecords& records_;
    patterns::JudgedTrace run_;
    const analyzer::paths::MergedTree& tree_;
    const std::vector<std::string>& texts_;
};

namespace message {

enum : std::size_t {
    kSender,
    kReceiver,
    kSenderLocation,
    kReceiverLocation,
    kCommunicator,
    kTag,
    kBytes,
    kSendTime,
    kReceiveTime,
    kLateSender,
    kLateReceiver,
    kSendPath,
    kReceivePath,
    kIteration
};

/// The sends of all locations, each with its receive; then the receives whose send is not known.
class Messages final : public Cursor {
  public:
    Messages(RunRecords& records, const Question& question) : known_(records), question_(question) {}

    bool next() override {
        const std::size_t count = known_.definitions().locations.size();
        for (; location_ < count; ++location_, position_ = 0) {
            if (position_ == 0) beginLocation();
            const auto& records = known_.run().trace.locations[location_].messages;
            while (position_ < records.sends.size() + records.receives.size())
                if (take(position_++)) return true;
        }
        return false;
    }

    Value value(std::size_t column) const override {
        switch (column) {
            case kSender:
                return sender_ ? Known::number(sender_->index()) : Value();
            case kReceiver:
                return receiver_ ? Known::number(receiver_->index()) : Value();
            case kSenderLocation:
                return send_ != nullptr ? Known::number(sendAt_.location) : Value();
            case kReceiverLocation:
                return receive_ != nullptr ? Known::number(receiveAt_.location) : Value();
            case kCommunicator:
                return communicator();
            case kTag:
                return std::int64_t{send_ != nullptr ? send_->tag : receive_->tag};
            case kBytes:
                return send_ != nullptr ? Value(static_cast<std::int64_t>(send_->bytes)) : Value();
            case kSendTime:
                return send_ != nullptr ? known_.seconds(send_->time) : Value();
            case kReceiveTime:
                return receive_ != nullptr ? known_.seconds(receive_->time) : Value();
            case kLateSender:
                return receive_ != nullptr
                           ? known_.seconds(
                                 known_.run().waits[receiveAt_.location].receives[receiveAt_.position])
                           : Value();
            case kLateReceiver:
                return lateReceiver();
            case kSendPath:
                return send_ != nullptr ? pathOf(sendAt_.location, send_->call) : Value();
            case kReceivePath:
                return receive_ != nullptr ? pathOf(receiveAt_.location, receive_->call) : Value();
            default:
                return send_ != nullptr ? known_.iteration(LocationId(sendAt_.location), send_->time)
                                        : known_.iteration(LocationId(receiveAt_.location), receive_->time);
        }
    }

  private:
    void beginLocation() {
        const auto process = static_cast<double>(known_.definitions()[LocationId(location_)].process.index());
        // A receive alone may still be one of this process.
        sendsMayBe_ = question_.mayBe(kSender, process) &&
                      question_.mayBe(kSenderLocation, static_cast<double>(location_));
        receivesMayBe_ = question_.mayBe(kReceiver, process) &&
                         question_.mayBe(kReceiverLocation, static_cast<double>(location_));
        if (!sendsMayBe_) position_ = known_.run().trace.locations[location_].messages.sends.size();
    }

    bool take(std::size_t position) {
        const auto& messages = known_.run().trace.locations[location_].messages;
        const auto at = static_cast<std::uint32_t>(location_);
        send_ = nullptr;
        receive_ = nullptr;
        return position < messages.sends.size()
                   ? takeSend({at, static_cast<std::uint32_t>(position)})
                   : receivesMayBe_ &&
                         takeReceive({at, static_cast<std::uint32_t>(position - messages.sends.size())});
    }
    bool takeSend(replay::RecordRef at) {
        sendAt_ = at;
        send_ = &known_.run().trace.locations[at.location].messages.sends[at.position];
        if (send_->cancelled) return false;
        receiveAt_ = analyzer::matching::receiveOf(known_.run().matches.messages, at);
        if (receiveAt_.isKnown())
            receive_ =
                &known_.run().trace.locations[receiveAt_.location].messages.receives[receiveAt_.position];
        sender_ = known_.definitions()[LocationId(at.location)].process;
        receiver_ =
            trace::peerProcess(known_.definitions(), send_->comm, LocationId(at.location), send_->receiver);
        return true;
    }
    bool takeReceive(replay::RecordRef at) {
        if (known_.run().matches.messages.sendOf[at.location][at.position].isKnown()) return false;
        receiveAt_ = at;
        receive_ = &known_.run().trace.locations[at.location].messages.receives[at.position];
        receiver_ = known_.definitions()[LocationId(at.location)].process;
        sender_ = trace::peerProcess(known_.definitions(), receive_->comm, LocationId(at.location),
                                     receive_->sender);
        return true;
    }

    Value communicator() const {
        const std::uint32_t comm = send_ != nullptr ? send_->comm : receive_->comm;
        if (comm >= known_.definitions().comms.size()) return {};
        return std::string_view(known_.definitions().comms[comm].name);
    }
    /// What the sender waits for its receiver is that of the send's completion.
    Value lateReceiver() const {
        if (send_ == nullptr) return {};
        const replay::RecordRef at = known_.run().trace.completionOf(LocationId(sendAt_.location), *send_);
        if (!at.isKnown()) return known_.seconds(0);
        return known_.seconds(known_.run().waits[at.location].completions[at.position]);
    }
    Value pathOf(std::uint32_t location, std::uint32_t call) const {
        const auto& calls = known_.run().trace.locations[location].messages.calls;
        return call < calls.size() ? known_.path(LocationId(location), calls[call].node) : Value();
    }

    Known known_;
    Question question_;
    std::size_t location_ = 0;
    std::size_t position_ = 0;
    bool sendsMayBe_ = true;
    bool receivesMayBe_ = true;
    replay::RecordRef sendAt_, receiveAt_;
    const replay::Send* send_ = nullptr;
    const replay::Receive* receive_ = nullptr;
    std::optional<ProcessId> sender_, receiver_;
};

}  // namespace message

namespace waiting {

enum : std::size_t {
    kKind,
    kName,
    kLocation,
    kProcess,
    kThread,
    kRegion,
    kPath,
    kStart,
    kDuration,
    kCulprit,
    kCulpritProcess,
    kCulpritPath,
    kCulpritTime,
    kIteration
};

struct Row {
    const patterns::Metric* metric;
    replay::NodeId node;
    Ticks begin;
    Ticks wait;
    std::optional<LocationId> awaited;
    std::size_t number;  ///< among the waits of its location
};

/// Location by location, by time.
class Waits final : public Cursor {
  public:
    Waits(RunRecords& records, const Question& question) : known_(records), question_(question) {
        if (question_.wants(kCulpritPath) || question_.wants(kCulpritTime)) culprits_.emplace(records);
    }

    bool next() override {
        while (at_ == rows_.size()) {
            if (location_ == known_.definitions().locations.size()) return false;
            read(LocationId(location_++));
        }
        ++at_;
        return true;
    }

    Value value(std::size_t column) const override {
        const Row& row = rows_[at_ - 1];
        const LocationId location(location_ - 1);
        switch (column) {
            case kKind:
                return std::string_view(row.metric->uniqueName);
            case kName:
                return std::string_view(row.metric->displayName);
            case kLocation:
                return Known::number(location.index());
            case kProcess:
                return known_.process(location);
            case kThread:
                return std::int64_t{known_.definitions()[location].rank};
            case kRegion:
                return known_.region(location, row.node);
            case kPath:
                return known_.path(location, row.node);
            case kStart:
                return known_.seconds(row.begin);
            case kDuration:
                return known_.seconds(row.wait);
            case kCulprit:
                return row.awaited ? Known::number(row.awaited->index()) : Value();
            case kCulpritProcess:
                return row.awaited ? known_.process(*row.awaited) : Value();
            case kCulpritPath:
                return row.awaited && activity(row).ticks >= 0 ? known_.path(*row.awaited, activity(row).node)
                                                               : Value();
            case kCulpritTime:
                return row.awaited && activity(row).ticks >= 0 ? known_.seconds(activity(row).ticks)
                                                               : Value();
            default:
                return known_.iteration(location, row.begin);
        }
    }

  private:
    void read(LocationId location) {
        rows_.clear();
        at_ = 0;
        const trace::Location& of = known_.definitions()[location];
        if (!question_.mayBe(kLocation, static_cast<double>(location.index())) ||
            !question_.mayBe(kProcess, static_cast<double>(of.process.index())) ||
            !question_.mayBe(kThread, static_cast<double>(of.rank)))
            return;
        std::size_t number = 0;
        patterns::visitAllWaits(known_.run(), location, [&](const patterns::SingleWait& wait) {
            if (wait.wait <= 0) return;
            if (question_.mayBe(kKind, std::string_view(wait.metric.uniqueName)))
                rows_.push_back({&wait.metric, wait.node, wait.begin, wait.wait, wait.awaited, number});
            ++number;
        });
        std::ranges::stable_sort(rows_, {}, &Row::begin);
    }

    const Activity& activity(const Row& row) const {
        return culprits_->during(LocationId(location_ - 1), row.number);
    }

    Known known_;
    Question question_;
    std::optional<Culprits> culprits_;  ///< where they are asked for
    std::size_t location_ = 0;
    std::vector<Row> rows_;  ///< of one location
    std::size_t at_ = 0;
};

}  // namespace waiting

RecordedTable::Facts messagesTable() {
    return {"messages",
            "each message of two; what is not known of one end is nothing",
            {{"sender", Kind::Integer, Gain::Direct, "number of the process that sends: the MPI rank"},
             {"receiver", Kind::Integer, Gain::Fewer, "number of the process that receives: the MPI rank"},
             {"sender_location", Kind::Integer, Gain::Direct, "number of the thread among all"},
             {"receiver_location", Kind::Integer, Gain::Fewer, "number of the thread among all"},
             {"communicator", Kind::Text, Gain::None, "name"},
             {"tag", Kind::Integer, Gain::None, "as the program gave it"},
             {"bytes", Kind::Integer, Gain::None, "sent"},
             {"send_time", Kind::Real, Gain::None, "when the send began, in seconds since the trace's start"},
             {"receive_time", Kind::Real, Gain::None,
              "when it had been received, in seconds since the trace's start"},
             {"late_sender", Kind::Real, Gain::None, "seconds that the receiver waited for the sender"},
             {"late_receiver", Kind::Real, Gain::None, "seconds that the sender waited for the receiver"},
             {"send_path", Kind::Text, Gain::None, "call path of the send"},
             {"receive_path", Kind::Text, Gain::None, "call path of the call that ended the receive"},
             {"iteration", Kind::Integer, Gain::None, "of the sender, from 1; nothing outside of the loop"}},
            0.1};
}

RecordedTable::Facts waitsTable() {
    return {
        "waits",
        "each single wait, and whom it was for",
        {{"kind", Kind::Text, Gain::Fewer, "wait state: a metric, such as mpi_latesender"},
         {"name", Kind::Text, Gain::None, "as it is shown, such as Late Sender"},
         {"location", Kind::Integer, Gain::Direct, "number of the thread that waits among all"},
         {"process", Kind::Integer, Gain::Direct, "number of its process: the MPI rank"},
         {"thread", Kind::Integer, Gain::Direct, "number in its process"},
         {"region", Kind::Text, Gain::None, "the call that waits"},
         {"call_path", Kind::Text, Gain::None, "of that call"},
         {"start", Kind::Real, Gain::None, "of that call, in seconds since the trace's start"},
         {"duration", Kind::Real, Gain::None, "seconds of waiting"},
         {"culprit", Kind::Integer, Gain::None, "number of the thread that was waited for, where it is one"},
         {"culprit_process", Kind::Integer, Gain::None, "number of its process"},
         {"culprit_path", Kind::Text, Gain::None,
          "call path in which that thread was for most of this time: why it came late"},
         {"culprit_time", Kind::Real, Gain::None, "seconds of the wait that it was there"},
         {"iteration", Kind::Integer, Gain::None, "from 1; nothing outside of the loop"}},
        0.1};
}

}  // namespace

void addRecordTables(Run& run, Tables& tables) {
    tables.push_back(std::make_unique<RecordedTable>(run, messagesTable(), &cursorOver<message::Messages>));
    tables.push_back(std::make_unique<RecordedTable>(run, waitsTable(), &cursorOver<waiting::Waits>));
}

}  // namespace holos::query
