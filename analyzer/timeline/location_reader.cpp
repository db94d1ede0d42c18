// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/location_reader.h"

#include "analyzer/timeline/format.h"
#include "analyzer/timeline/quiet_finder.h"
#include "analyzer/trace/event_file.h"
#include "analyzer/trace/shortened_events.h"

namespace holos::analyzer::timeline {

namespace {

using trace::RegionId;

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
        trace::tellPlaces(content.quiet, trace::locationFile(question.anchor, number, ".evt"),
                          question.chunkSize);
    return content;
}

}  // namespace holos::analyzer::timeline
