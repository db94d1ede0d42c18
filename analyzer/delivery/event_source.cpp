// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/delivery/event_source.h"

#include "analyzer/delivery/event_dispatch.h"

namespace holos::analyzer::delivery {

namespace {

using Passed = std::vector<trace::QuietCalls>;

/// The events of one location, from a file to a target.
class Delivery {
  public:
    Delivery(trace::EventFile& file, EventDispatch& dispatch, replay::LocationReplay& target,
             const trace::EventProgress& progress)
        : file_(file), dispatch_(dispatch), target_(target), progress_(progress) {}

    /// False where there is nothing to read; the file's outcome says why.
    bool listen() { return file_.listen(dispatch_.handlers(), &dispatch_); }

    /// All from this event on, but for what the target passes over.
    trace::ReadOutcome deliverWhole(std::uint64_t from, const Passed& passed) {
        if (deliverAround(from, passed)) file_.deliver(progress_);
        return outcome();
    }

    /// All of a file that lacks what is passed over. Stops before what the target wants nevertheless: nothing
    /// then.
    std::optional<trace::ReadOutcome> deliverShortened(const Passed& passed) {
        std::uint64_t leftOut = 0;
        for (const trace::QuietCalls& calls : passed) {
            if (!file_.deliverUpTo(calls.first, progress_)) return outcome();
            if (!target_.calls().passOver(calls)) return std::nullopt;
            file_.leaveOut(calls.end - calls.first, progress_);
            dispatch_.setLeftOut(leftOut += calls.end - calls.first);
        }
        file_.deliver(progress_);
        return outcome();
    }

  private:
    /// Up to the last of what can be passed over; false where the file ends before.
    bool deliverAround(std::uint64_t at, const Passed& passed) {
        for (const trace::QuietCalls& calls : passed) {
            if (calls.first < at) continue;
            if (calls.first != at && !(goTo(at) && file_.deliverUpTo(calls.first, progress_))) return false;
            if (target_.calls().passOver(calls)) at = calls.end;
        }
        return goTo(at);
    }

    bool goTo(std::uint64_t event) {
        if (event <= file_.outcome().events) return true;
        const bool isThere = file_.passUpTo(event, progress_);
        listen();
        return isThere;
    }

    trace::ReadOutcome outcome() const {
        if (dispatch_.failure()) std::rethrow_exception(dispatch_.failure());
        return file_.completeOutcome();
    }

    trace::EventFile& file_;
    EventDispatch& dispatch_;
    replay::LocationReplay& target_;
    const trace::EventProgress& progress_;
};

}  // namespace

trace::ReadOutcome readEvents(const std::filesystem::path& anchor, const trace::Definitions& definitions,
                              trace::LocationId location, replay::LocationReplay& target,
                              const trace::EventProgress& progress, const Passed& passed,
                              const trace::ShortenedArchive* shortened) {
    EventDispatch dispatch(definitions, target);
    std::uint64_t delivered = 0;
    if (shortened != nullptr && !passed.empty())
        if (const auto file = shortened->open(definitions, location, passed)) {
            Delivery delivery(*file, dispatch, target, progress);
            delivery.listen();
            if (const auto outcome = delivery.deliverShortened(passed)) return *outcome;
            delivered = file->outcome().events;
            dispatch.setLeftOut(0);
        }
    trace::EventFile file(anchor, definitions, location);
    Delivery delivery(file, dispatch, target, progress);
    return delivery.listen() ? delivery.deliverWhole(delivered, passed) : file.outcome();
}

}  // namespace holos::analyzer::delivery
