// SPDX-License-Identifier: BSD-3-Clause
//
// Late Progress: a message is under way and needs its other end, which computes outside of MPI.
//
//   sender    ──┤ Isend ├──┤ Wait ················│──L├──
//   receiver  ──┤ Irecv ├────────────────────────┤E Wait ├──
//                                 works
//   w = E(next call) − max(E(Wait), L(call before))
//
// A trace does not say when messages move. It shows that a call ended soon after the other end came back to
// MPI, which it had left: soon means within an eighth of the wait, so that chance makes few of them, or
// within half of it where the thread had no processor for so long, or where the other end came back to post
// the receive of a large message: so MPI_Sendrecv and its like wait for a late receiver, which is Late
// Receiver only in calls that do not receive, too. Of a large message that both ends were through with at the
// same time, the time does not count in which the thread certainly had no processor after the other end came
// back. What the call waits for by other patterns comes before. A call that waits for several messages has
// one such wait.
//
// Where processes share processors, who comes back to MPI lets others run, so that a call which had all it
// needed and merely lacked a processor ends soon after that, too. Therefore nobody is waited for who was
// through with the message before it left MPI: its last piece was handed over then. Only libraries keep small
// messages for a while that they call sent. And of small messages, which seldom need their other end, a wait
// is claimed only where the thread had a processor for a part of it, an eighth, and did not go on.
//
// Whoever tests now and then in its work is back for a moment each time. A call that ended soon behind one of
// these tests, measured by the time between two of them, has waited for it since that end left MPI otherwise;
// of large messages also one that ended with it, as above. Where it ended among tests that stand together,
// which of them mattered is not known.
//
// Likewise a call that completes a nonblocking collective operation waits for the last rank of it that comes
// back to MPI, where `returns.cpp` finds that it is needed, or where the call ended soon after that.
//
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"
#include "analyzer/patterns/stays.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kProgressPicture{
    {{"sender", "Isend, Wait", "-==-##########=-----"}, {"receiver", "Irecv, Wait", "-==-----------==----"}},
    {{0, 3, 1, 14}}};

const Metric kLateProgress{
    .parent = "mpi_point2point",
    .uniqueName = "mpi_lateprogress",
    .displayName = "Late Progress",
    .description =
        "Time in calls that complete a message that is on its way, while the process at its other "
        "end computes outside of MPI: only calls of MPI move such messages there. Likewise of nonblocking "
        "collective operations that another process has begun. Call MPI_Test "
        "from time to time in that work, or let the MPI library make progress by itself.",
    .picture = &kProgressPicture,
    .meaning = "a message or an operation waits until the process at its other end calls MPI again"};

using replay::Call;
using replay::RecordRef;
using trace::CallKind;

/// Of a call for the other end of one of its messages, or for another rank of an operation.
struct Wait {
    Ticks ticks = 0;
    std::uint32_t call = kNone;
    std::uint64_t event = 0;  ///< at which it ends
    End causer;
};

class ProgressSearch {
  public:
    ProgressSearch(const matching::MatchedTrace& run, AllFindings& found)
        : run_(run),
          found_(found),
          stays_(found.size()),
          shortest_(
              std::max<Ticks>(1, static_cast<Ticks>(run.trace.definitions.clock.ticksPerSecond / 50'000))) {}

    void run() {
        for (std::uint32_t i = 0; i < found_.size(); ++i) {
            std::vector<Wait> waits;
            without_.clear();
            doubts_.clear();
            for (const replay::CallShortage& one : run_.trace.locations[i].messages.shortages)
                without_[one.call] += one.passed;
            collectSends(i, waits);
            collectReceives(i, waits);
            collectOperations(i, waits);
            book(i, waits);
        }
    }

  private:
    /// The other end of a message.
    struct OtherEnd {
        std::uint32_t location = kNone;
        bool isLarge = false;          ///< the message
        bool isSender = false;         ///< else its receiver
        Ticks through = 0;             ///< when its call for the message ended; 0: not known
        const Call* posted = nullptr;  ///< of a large message: in which it said where that goes
    };

    void collectSends(std::uint32_t location, std::vector<Wait>& waits) {
        const auto& messages = run_.trace.locations[location].messages;
        for (const replay::SendCompletion& completion : messages.completions) {
            if (!mayWait(location, completion.call)) continue;
            const RecordRef sent = run_.trace.sendOf(trace::LocationId(location), completion);
            const RecordRef received = matching::receiveOf(run_.matches.messages, sent);
            if (!received.isKnown()) continue;
            const auto& destination = run_.trace.locations[received.location].messages;
            const replay::Receive& receive = destination.receives[received.position];
            const bool large = isLarge(sent);
            note(location, completion.call, completion.event,
                 {.location = received.location,
                  .isLarge = large,
                  .through = destination.calls[receive.call].leave,
                  .posted = large ? run_.trace.postOf(receive) : nullptr},
                 waits);
        }
    }

    void collectReceives(std::uint32_t location, std::vector<Wait>& waits) {
        const auto& messages = run_.trace.locations[location].messages;
        for (std::size_t i = 0; i < messages.receives.size(); ++i) {
            if (!mayWait(location, messages.receives[i].call)) continue;
            const RecordRef sent = run_.matches.messages.sendOf[location][i];
            if (sent.isKnown())
                note(location, messages.receives[i].call, messages.receives[i].event,
                     {.location = sent.location,
                      .isLarge = isLarge(sent),
                      .isSender = true,
                      .through = endOfSend(sent)},
                     waits);
        }
    }

    void collectOperations(std::uint32_t location, std::vector<Wait>& waits) {
        const auto& messages = run_.trace.locations[location].messages;
        for (const LateReturn& one : found_[location].returns) {
            const replay::CollectiveRecord& record = messages.collectives[one.record];
            if (!mayWait(location, record.call)) continue;
            const Call& call = messages.calls[record.call];
            const Ticks begin =
                std::max(call.enter + found_[location].calls.waited(record.call), one.outsideSince);
            const Ticks wait = waitBetween(call, location, begin, one.isBack ? one.causer.begin : call.leave);
            if (wait <= shortest_) continue;
            if (one.isBack && (one.isNeeded || endsSoon(record.call, call.leave - one.causer.begin,
                                                        std::min(wait, one.sinceTest), kSoon)))
                waits.push_back({wait, record.call, record.event, one.causer});
            noteDoubt(record.call, wait);
        }
    }

    bool isLarge(const RecordRef& sent) const {
        return run_.trace.locations[sent.location].messages.sends[sent.position].bytes >= kLarge;
    }

    /// 0 where that is not known: buffers of the program keep messages that are sent for it.
    Ticks endOfSend(const RecordRef& sent) const {
        const auto& source = run_.trace.locations[sent.location].messages;
        const replay::Send& send = source.sends[sent.position];
        if (send.completion == kNone || source.calls[send.call].kind == CallKind::BufferedSend) return 0;
        return source.calls[source.completions[send.completion].call].leave;
    }

    /// Long enough, beside what it is known to wait for, and blocks.
    bool mayWait(std::uint32_t location, std::uint32_t position) const {
        const Call& call = run_.trace.locations[location].messages.calls[position];
        if (call.leave - call.enter - found_[location].calls.waited(position) <= shortest_) return false;
        return call.kind == CallKind::Send || call.kind == CallKind::OtherMpi || trace::isWait(call.kind);
    }

    void note(std::uint32_t location, std::uint32_t position, std::uint64_t event, const OtherEnd& other,
              std::vector<Wait>& waits) {
        if (other.location == location) return;
        const Call& call = run_.trace.locations[location].messages.calls[position];
        const Ticks begin = call.enter + found_[location].calls.waited(position);
        Wait longest;
        Ticks outside = 0;
        const auto isThrough = [&other](Ticks left) { return other.through != 0 && other.through <= left; };
        const auto look = [&](const Absence& absence) {
            const Ticks wait = waitBetween(call, location, absence.begin, absence.back.enter);
            if (wait <= std::max(shortest_, longest.ticks)) return;
            if (isThrough(absence.begin) && (other.isLarge || !other.isSender)) return;
            if (!other.isLarge && !hadProcessorFor(position, wait)) return;
            if (isHeldUp(call, position, absence, wait, other))
                longest = {wait, position, event, startOf(run_.trace, other.location, absence.back)};
        };
        // The partner may have left MPI again, and more than once, before the message was through.
        const StaysOfLocation& stays = staysAt(other.location);
        for (const Absence& one : absencesOf(stays.all, begin, call.leave)) {
            look(one);
            if (!isThrough(one.begin))
                outside += std::max<Ticks>(0, waitBetween(call, location, one.begin, one.back.enter));
        }
        if (stays.haveTests) {
            const auto& partner = run_.trace.locations[other.location];
            const RestlessAbsences restless = restlessAbsencesOf(partner, stays.all, begin, call.leave);
            for (const Absence& one : restless.all) look(one);
            for (const TestsMeanwhile& one : restless.tests)
                if (!isThrough(one.since))
                    outside = std::max(
                        outside, waitBetween(call, location, one.since, std::min(one.until, call.leave)));
        }
        if (longest.ticks > 0) waits.push_back(longest);
        noteDoubt(position, outside);
    }

    /// Whether a call ended soon enough after its partner was back in MPI, or both at the same time.
    bool isHeldUp(const Call& call, std::uint32_t position, const Absence& absence, Ticks wait,
                  const OtherEnd& other) const {
        const Ticks back = absence.back.enter, after = call.leave - back;
        const bool takesTime = other.isLarge && back < other.through;
        const Ticks apart = std::abs(call.leave - other.through);
        const bool isPosted = other.posted != nullptr && other.posted->enter == back;
        const bool isSlow = isPosted || (takesTime && apart * kSoon <= wait);
        if (endsSoon(position, after, std::min(wait, absence.sinceTest), isSlow ? kLessSoon : kSoon))
            return true;
        const Ticks ran = after - lackedBehind(lackOf(position), back - call.enter);
        return takesTime && apart * kSoon <= std::max(wait, after) && ran * kSoon <= wait;
    }

    Ticks waitBetween(const Call& call, std::uint32_t location, Ticks begin, Ticks end) const {
        return end - begin - run_.trace.locations[location].notOwn(call.node, {begin, end});
    }
    void noteDoubt(std::uint32_t position, Ticks outside) {
        Ticks& doubt = doubts_[position];
        doubt = std::max(doubt, outside);
    }

    /// Whether a call ends soon enough after a wait to have been held up by it.
    bool endsSoon(std::uint32_t position, Ticks after, Ticks wait, Ticks soon) const {
        return after * soon <= wait || endSoonAfter(after, wait, lackOf(position));
    }
    /// Whether a call certainly had one for a part of a wait in it.
    bool hadProcessorFor(std::uint32_t position, Ticks wait) const {
        return (wait - lackOf(position)) * kSoon >= wait;
    }
    /// How long a call had no processor.
    Ticks lackOf(std::uint32_t position) const {
        const auto without = without_.find(position);
        return without != without_.end() ? without->second : 0;
    }

    struct StaysOfLocation {
        std::vector<Stay> all;
        bool haveTests = false;  ///< rows of them
    };
    const StaysOfLocation& staysAt(std::uint32_t location) {
        auto& stays = stays_[location];
        if (stays) return *stays;
        const auto& polls = run_.trace.locations[location].polls;
        return stays.emplace(StaysOfLocation{
            staysOf(run_.trace.locations[location]),
            std::ranges::find(polls, CallKind::Test, &replay::PollRecord::kind) != polls.end()});
    }

    /// The longest one of each call, and how much longer it may have waited all the same.
    void book(std::uint32_t location, std::vector<Wait>& waits) {
        std::ranges::stable_sort(waits, [](const Wait& a, const Wait& b) {
            return a.call != b.call ? a.call < b.call : a.ticks > b.ticks;
        });
        std::uint32_t last = kNone;
        for (const Wait& wait : waits) {
            if (std::exchange(last, wait.call) == wait.call) continue;
            doubts_[wait.call] -= wait.ticks;
            found_.own(location).waits.dependencies.push_back(
                {callEnd(run_.trace, location, wait.call, wait.event), wait.causer, &kLateProgress,
                 wait.ticks, wait.ticks, Kind::LateProgress});
        }
        for (const auto& [call, ticks] : doubts_)
            if (ticks > 0) found_.own(location).calls.noteDoubt(call, ticks);
    }

    const matching::MatchedTrace& run_;
    AllFindings& found_;
    std::unordered_map<std::uint32_t, Ticks> without_;   ///< a processor, by call of the location at hand
    std::unordered_map<std::uint32_t, Ticks> doubts_;    ///< by call: how long a partner was outside
    std::vector<std::optional<StaysOfLocation>> stays_;  ///< by location, where somebody asked
    Ticks shortest_;
};

void findInTrace(const matching::MatchedTrace& run, AllFindings& found) {
    ProgressSearch(run, found).run();
}

}  // namespace

extern const Pattern kLateProgressPattern{
    .metrics = {&kLateProgress},
    .delays = {{Kind::LateProgress, "delay_p2p", "delay_lateprogress", "Late Progress",
                "Work outside of MPI while a message needs this process.", &kProgressPicture}},
    .inTrace = findInTrace};

}  // namespace holos::analyzer::patterns
