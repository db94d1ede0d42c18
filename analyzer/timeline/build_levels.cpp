// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/build_levels.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "analyzer/timeline/format.h"
#include "analyzer/timeline/levels.h"
#include "analyzer/timeline/region_times.h"
#include "analyzer/trace/classification.h"
#include "analyzer/trace/event_file.h"
#include "analyzer/trace/excerpt.h"
#include "analyzer/trace/file_end.h"
#include "analyzer/trace/quiet_calls.h"
#include "analyzer/workers/workers.h"
#include "base/made_by.h"
#include "base/output_file.h"

namespace holos::analyzer::timeline {
namespace {

/// What the levels need of one location.
struct LocationContent {
    RegionTimes times;
    std::vector<trace::Checkpoint> checkpoints;
    std::vector<trace::QuietCalls> quiet;
    std::vector<trace::MessageEnd> messages;
};

struct LocationQuestion {
    const std::filesystem::path& anchor;
    const trace::Definitions& definitions;
    const std::vector<trace::RegionClass>& classes;
    const TimeGrid& grid;
    std::uint64_t chunkSize;  ///< of the files of events
    std::uint64_t oneOf = 1;  ///< messages of so many channels are kept of one
    const std::atomic<bool>& stopped;
    std::function<void(std::uint64_t)> progress;  ///< with the number of further events
};

/// Finds where a location has many calls in which nothing but time passes (`trace::QuietCalls`). It is told
/// the events in their order, with how many there are up to each; an event that it is not told of ends what
/// is quiet.
class QuietFinder {
  public:
    /// In traces that tell from where regions were called nothing is quiet.
    QuietFinder(const trace::Definitions& definitions, const std::vector<trace::RegionClass>& classes);

    void enter(std::uint64_t events, trace::Ticks time, trace::RegionId region);
    void leave(std::uint64_t events, trace::Ticks time, trace::RegionId region);
    /// An event of another kind.
    void other(trace::Ticks time);

    std::vector<trace::QuietCalls> take() { return std::move(found_); }

  private:
    /// Shorter ones are read faster than they are passed over.
    static constexpr std::uint64_t kFewest = 256;
    /// Longer ones are cut, so that little of them has to be read for a short range.
    static constexpr std::uint64_t kMost = 4096;
    static constexpr std::size_t kMostLeft = 1024;
    static constexpr std::size_t kDeepest = 64;  ///< of call paths that are told

    /// Whether the event belongs to what is quiet now; begins it where nothing is.
    bool goesOn(std::uint64_t events, trace::RegionId region);
    /// Of the region in the innermost one; whether that is the first time.
    bool push(trace::RegionId region);
    void pop();
    void see(std::uint64_t events, trace::Ticks time);
    void end();

    std::vector<bool> isPlain_;                               ///< by region
    std::unordered_map<std::uint64_t, std::uint32_t> paths_;  ///< by the path around it and its region
    std::vector<std::uint32_t> stack_{0};                     ///< the paths of the calls that are open
    bool isQuiet_ = false;
    trace::QuietCalls now_;
    trace::Ticks latest_ = std::numeric_limits<trace::Ticks>::min();
    std::vector<trace::QuietCalls> found_;
};

using trace::RegionId;
using trace::Ticks;

/// Nothing but time passes between its enter and its leave.
bool isPlain(const trace::Region& region, const trace::RegionClass& known) {
    const bool isOfProgram =
        region.paradigm == trace::Paradigm::Compiler || region.paradigm == trace::Paradigm::User;
    return isOfProgram && known.call == trace::CallKind::NotMpi && known.special == trace::Special::None;
}

QuietFinder::QuietFinder(const trace::Definitions& definitions,
                         const std::vector<trace::RegionClass>& classes)
    : isPlain_(definitions.regions.size(), false) {
    if (definitions.attributeOfCallPaths || !definitions.callingContexts.empty()) return;
    for (std::size_t i = trace::kShortageRegion.index() + 1; i < isPlain_.size(); ++i)
        isPlain_[i] = isPlain(definitions.regions[i], classes[i]);
}

bool QuietFinder::goesOn(std::uint64_t events, RegionId region) {
    const bool isNext = isQuiet_ && events == now_.end + 1;
    if (!isNext || events - now_.first > kMost || now_.left.size() >= kMostLeft) end();
    const bool isFirst = events == 1;  // it tells when the location begins
    if (isFirst || !isPlain_[region.index()]) {
        end();
        return false;
    }
    if (!isQuiet_) now_ = {events - 1, events - 1, latest_, latest_, {}, {}, {}, {}};
    isQuiet_ = true;
    return true;
}

void QuietFinder::see(std::uint64_t events, Ticks time) {
    latest_ = std::max(latest_, time);
    now_.end = events;
    now_.latest = latest_;
}

void QuietFinder::end() {
    if (isQuiet_ && now_.end - now_.first >= kFewest) found_.push_back(std::move(now_));
    now_ = {};
    isQuiet_ = false;
}

bool QuietFinder::push(RegionId region) {
    const std::uint64_t key = std::uint64_t{stack_.back()} << 32U | region.index();
    const auto [path, isNew] = paths_.try_emplace(key, static_cast<std::uint32_t>(paths_.size() + 1));
    stack_.push_back(path->second);
    return isNew;
}

void QuietFinder::pop() {
    if (stack_.size() > 1) stack_.pop_back();
}

void QuietFinder::enter(std::uint64_t events, Ticks time, RegionId region) {
    const bool isNew = push(region);
    if (!goesOn(events, region)) return other(time);
    now_.entered.push_back(region);
    if (isNew && now_.entered.size() > kDeepest) {
        now_.entered.pop_back();
        return other(time);
    }
    if (isNew) now_.met.push_back({static_cast<std::uint32_t>(now_.left.size()), now_.entered});
    see(events, time);
}

void QuietFinder::leave(std::uint64_t events, Ticks time, RegionId region) {
    pop();
    if (!goesOn(events, region)) return other(time);
    if (!now_.entered.empty() && now_.entered.back() != region) return other(time);  // told of as damage
    if (now_.entered.empty())
        now_.left.push_back(region);
    else
        now_.entered.pop_back();
    see(events, time);
}

void QuietFinder::other(Ticks time) {
    latest_ = std::max(latest_, time);
    end();
}

/// Follows the calls of one location.
class Follower final : public trace::CallEvents {
  public:
    Follower(const LocationQuestion& question, trace::LocationId self)
        : question_(question),
          self_(question.definitions[self].process),
          timer_(question.grid),
          quiet_(question.definitions, question.classes) {}

    bool runs(Ticks time) override {
        quiet_.other(time);
        return account(time);
    }

    bool enter(Ticks time, RegionId region) override {
        account(time);
        calls_.push_back({time, region});
        quiet_.enter(events(), time, region);
        return markPlace();
    }

    bool leave(Ticks time, RegionId region) override {
        account(time);
        quiet_.leave(events(), time, region);
        if (!calls_.empty()) calls_.pop_back();
        return markPlace();
    }

    bool message(const trace::MessageEnd& end) override {
        account(end.time);
        quiet_.other(end.time);
        if (isKept(end)) content_.messages.push_back(end);
        return true;
    }

    LocationContent finish() {
        question_.progress(events() - reported_);
        content_.times = timer_.finish();
        content_.quiet = quiet_.take();
        return std::move(content_);
    }

  private:
    bool account(Ticks time) {
        if (hasBegun_)
            timer_.pass(calls_.empty() ? kOutside : static_cast<std::uint32_t>(calls_.back().region.index()),
                        time);
        else
            timer_.skip(time);
        hasBegun_ = true;
        last_ = time;
        return true;
    }

    /// Behind the present event, now and then.
    bool markPlace() {
        if (events() - reported_ < kEventsBetweenCheckpoints) return true;
        question_.progress(events() - reported_);
        reported_ = events();
        content_.checkpoints.push_back({events(), last_, calls_});
        return true;
    }

    /// Both ends of a message come to the same answer.
    bool isKept(const trace::MessageEnd& end) const {
        if (question_.oneOf == 1) return true;
        const std::uint64_t sender = end.sends ? self_.index() : end.peer.index();
        const std::uint64_t receiver = end.sends ? end.peer.index() : self_.index();
        const std::uint64_t mixed = (sender * 0x9E3779B97F4A7C15U ^ receiver) * 0xBF58476D1CE4E5B9U;
        return (mixed >> 32U) % question_.oneOf == 0;
    }

    const LocationQuestion& question_;
    trace::ProcessId self_;
    RegionTimer timer_;
    QuietFinder quiet_;
    LocationContent content_;
    std::vector<trace::OpenCall> calls_;
    bool hasBegun_ = false;
    Ticks last_ = 0;
    std::uint64_t reported_ = 0;
};

/// Thread safety: one thread for each location.
LocationContent readLocation(const LocationQuestion& question, trace::LocationId location) {
    Follower follower(question, location);
    trace::readCallEvents(question.anchor, question.definitions, location, follower, question.stopped);
    LocationContent content = follower.finish();
    const std::uint64_t number = question.definitions[location].reference;
    if (!content.quiet.empty())
        trace::findPlaces(content.quiet, trace::locationFile(question.anchor, number, ".evt"),
                          question.chunkSize);
    return content;
}

constexpr std::uint64_t kEventsInBin = 24;
constexpr std::uint64_t kFewestBins = 64;
constexpr std::uint64_t kBinsOfFewLocations = 1U << 15U;  ///< of all; a picture of few has room for more
constexpr std::uint64_t kFewestOfFew = 512;
constexpr std::uint64_t kMostBins = 1U << 16U;
constexpr std::uint64_t kMostBinsOfAll = 1U << 23U;
constexpr std::uint64_t kEventsPerEnd = 1U << 24U;  ///< for each of so many one channel less is kept
constexpr unsigned kUnitLevel = 4;                  ///< 16 locations are a unit of work

/// As many bins as there are enough events for.
TimeGrid gridFor(const Header& header) {
    const std::uint64_t locations = std::max<std::uint64_t>(header.locations, 1);
    const std::uint64_t most = std::clamp(kMostBinsOfAll / locations, kFewestBins, kMostBins);
    const std::uint64_t fewest = std::clamp(kBinsOfFewLocations / locations, kFewestBins, kFewestOfFew);
    const std::uint64_t wanted = std::clamp(header.promisedEvents / locations / kEventsInBin, fewest, most);
    return {static_cast<Ticks>(header.length), static_cast<unsigned>(std::bit_width(wanted))};
}

class Builder {
  public:
    Builder(const std::filesystem::path& anchor, const trace::Definitions& definitions,
            const std::filesystem::path& file, const BuildOptions& options)
        : definitions_(definitions),
          options_(options),
          header_(headerOf(definitions)),
          grid_(gridFor(header_)),
          activities_(activitiesOf(definitions)),
          classes_(trace::classifyRegions(definitions)),
          stopped_(options.stopped != nullptr ? *options.stopped : never_),
          output_(file, Links::Refused),
          question_{anchor,
                    definitions,
                    classes_,
                    grid_,
                    trace::chunkSizesOf(anchor).events,
                    1 + header_.promisedEvents / kEventsPerEnd,
                    stopped_,
                    [this](std::uint64_t events) { advance(events); }} {
        header_.levels = grid_.levels();
        header_.rows = rowPosition(header_.locations, rowLevelsOf(header_.locations) - 1, 0) + 1;
        header_.oneOf = question_.oneOf;
        places_.resize(header_.rows);
        messages_.resize(header_.locations);
    }

    bool run() {
        output_.write(bytesOf(header_));
        const unsigned top = rowLevelsOf(header_.locations) - 1;
        const unsigned unit = std::min(kUnitLevel, top);
        std::vector<RegionTimes> units(rowsOf(header_.locations, unit));
        workers::makeThreads(options_.threads)->forEach(units.size(), [&](std::size_t at) {
            units[at] = build({unit, at});
        });
        for (unsigned level = unit + 1; level <= top && !stopped_; ++level) units = join(units, level);
        if (stopped_) return false;
        writeMessages();
        header_.table = output_.size();
        for (const RowPlace& place : places_) output_.write(bytesOf(place));
        output_.rewrite(0, bytesOf(header_));
        output_.commit();
        return true;
    }

  private:
    RegionTimes build(RowId row) {
        if (stopped_) return {};
        if (row.level == 0) {
            LocationContent content = readLocation(question_, trace::LocationId(row.row));
            messages_[row.row] = std::move(content.messages);
            if (!stopped_) write(row, content.times, {content.checkpoints, content.quiet, row.row});
            return std::move(content.times);
        }
        RegionTimes times = build({row.level - 1, 2 * row.row});
        const RowId second{row.level - 1, 2 * row.row + 1};
        if (second.row < rowsOf(header_.locations, second.level)) {
            const RegionTimes other = build(second);
            if (!stopped_) times = times.together(other);
        }
        if (!stopped_) write(row, times, {});
        return times;
    }

    std::vector<RegionTimes> join(std::vector<RegionTimes>& below, unsigned level) {
        std::vector<RegionTimes> rows(rowsOf(header_.locations, level));
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const bool isPair = 2 * row + 1 < below.size();
            rows[row] = isPair ? below[2 * row].together(below[2 * row + 1]) : std::move(below[2 * row]);
            write({level, row}, rows[row], {});
        }
        return rows;
    }

    void write(RowId row, const RegionTimes& times, const Places& places) {
        const std::size_t first = row.row << row.level;
        const std::size_t locations = std::min(std::size_t{1} << row.level, header_.locations - first);
        const std::string bytes = packRow(grid_, times, locations, activities_, places);
        const std::lock_guard lock(mutex_);
        places_[rowPosition(header_.locations, row.level, row.row)] = {output_.size(), bytes.size()};
        output_.write(bytes);
    }

    void writeMessages() {
        std::vector<trace::LocationMessages> all;
        for (std::size_t at = 0; at < messages_.size(); ++at)
            all.push_back({trace::LocationId(at), messages_[at]});
        std::vector<trace::Message> pairs =
            trace::pairMessages(definitions_, all, std::numeric_limits<Ticks>::min());
        std::ranges::stable_sort(pairs, {}, &trace::Message::sent);
        header_.messages = output_.size();
        header_.messageCount = pairs.size();
        for (const trace::Message& message : pairs) {
            output_.write(bytesOf(static_cast<std::uint32_t>(message.sender.index())));
            output_.write(bytesOf(static_cast<std::uint32_t>(message.receiver.index())));
            output_.write(bytesOf(message.sent));
            output_.write(bytesOf(message.received));
            output_.write(bytesOf(message.bytes));
        }
    }

    void advance(std::uint64_t events) {
        if (!options_.progress) return;
        const std::lock_guard lock(progressMutex_);
        read_ += events;
        const auto all = static_cast<double>(std::max<std::uint64_t>(header_.promisedEvents, 1));
        options_.progress(std::min(1.0, static_cast<double>(read_) / all));
    }

    const trace::Definitions& definitions_;
    const BuildOptions& options_;
    Header header_;
    TimeGrid grid_;
    std::vector<Activity> activities_;
    std::vector<trace::RegionClass> classes_;
    const std::atomic<bool> never_ = false;
    const std::atomic<bool>& stopped_;
    std::mutex mutex_;  ///< of what follows
    OutputFile output_;
    std::vector<RowPlace> places_;
    LocationQuestion question_;
    std::vector<std::vector<trace::MessageEnd>> messages_;  ///< by location
    std::mutex progressMutex_;
    std::uint64_t read_ = 0;
};

}  // namespace

bool buildLevels(const std::filesystem::path& anchor, const trace::Definitions& definitions,
                 const std::filesystem::path& file, const BuildOptions& options) {
    requireOwn(file, Header::kMagic);
    return Builder(anchor, definitions, file, options).run();
}

}  // namespace holos::analyzer::timeline
