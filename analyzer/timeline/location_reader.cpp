// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/location_reader.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include "analyzer/timeline/format.h"
#include "analyzer/trace/classification.h"
#include "analyzer/trace/event_file.h"
#include "analyzer/trace/quiet_calls.h"
#include "analyzer/trace/shortened_events.h"

namespace holos::analyzer::timeline {

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

namespace {

/// Nothing but time passes between its enter and its leave.
bool isPlain(const trace::Region& region, const trace::RegionClass& known) {
    const bool isOfProgram =
        region.paradigm == trace::Paradigm::Compiler || region.paradigm == trace::Paradigm::User;
    return isOfProgram && known.call == trace::CallKind::NotMpi && known.special == trace::Special::None;
}

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace holos::analyzer::timeline
