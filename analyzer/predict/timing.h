// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "analyzer/memory/packed_records.h"
#include "analyzer/memory/records.h"
#include "analyzer/predict/graph.h"
#include "analyzer/predict/network.h"
#include "analyzer/predict/scales.h"
#include "analyzer/replay/clock.h"
#include "analyzer/trace/ids.h"

namespace holos::analyzer::predict {

using trace::Ticks;

/// A number of ticks for each mark of a location, in their order; small ones take a byte or two.
class PackedTicks {
  public:
    void append(Ticks ticks) {
        std::uint8_t bytes[kLongestNumber];
        std::uint8_t* end = bytes;
        putNumber(unfold(ticks), end);
        bytes_.append(bytes, end);
    }
    bool empty() const { return bytes_.empty(); }

    /// Reads one after the other; what is behind the last one must not be asked for. Of an empty list all are
    /// 0.
    class Reader {
      public:
        explicit Reader(const PackedTicks& ticks) : next_(ticks.empty() ? nullptr : ticks.bytes_.data()) {}
        Reader() = default;
        Ticks next() { return next_ == nullptr ? 0 : fold(takeNumber(next_)); }

      private:
        const std::uint8_t* next_ = nullptr;
    };

  private:
    Records<std::uint8_t> bytes_{heap()};
};

/// What is different from the recorded run.
struct Changes {
    /// By location, for each mark: how much less the work before it takes. Empty where nothing changes.
    std::vector<PackedTicks> saved;
    /// How much less `Mark::tasks` take.
    std::vector<TicksAtMarks> savedTasks;
    /// By location and mark: what is not executed at all, and waits for nobody.
    std::vector<std::vector<bool>> removed;
    std::optional<Network> network;
    bool locksAreFree = false;  ///< nobody waits for a lock
};

/// When a run would have come to its marks.
struct Timing {
    /// By location, for each mark, if they are wanted: how much later it comes than the recorded one, less
    /// that of the mark before.
    std::vector<PackedTicks> shifts;
    std::uint64_t fingerprint = 0;  ///< of all times: equal ones have equal fingerprints, others do not
    Ticks begin = 0;
    Ticks end = 0;
    /// Of all calls of MPI that wait, but those for files, start and end: what they took in the recording
    /// after all had come. It is replayed as it was, unless the network changes.
    Ticks ownInMpi = 0;
    Ticks lackingInMpi = 0;    ///< of that, in which the threads had no processor
    Ticks ofMpi = 0;           ///< from the first to the last mark of those locations
    std::uint64_t forced = 0;  ///< marks that waited for each other in a circle

    Ticks duration() const { return end - begin; }
};

/// What is wanted of a timing.
enum class Wanted : std::uint8_t { Duration, Times };

/// Times the graph again: work takes as long as recorded, less what is saved; where a location waits, it goes
/// on when all that it depends on has come, and then for as long as it took after that in the recording. So a
/// replay without changes gives the recorded times, tick by tick. The effort grows as the graph does.
Timing retime(const RunGraph& graph, const Network& recorded, const Changes& changes,
              Wanted wanted = Wanted::Duration);

/// Gives the events of a location the times that they have in a prediction: at marks those of the marks,
/// between them as quickly as the work there goes.
class RetimedClock final : public replay::Clock {
  public:
    /// All must outlive the clock.
    RetimedClock(const LocationGraph& graph, const PackedTicks& shifts, const LocationScales& scales);

    Ticks at(std::uint64_t event, Ticks recorded, NodeId node) override;
    Ticks later(Ticks recorded) const override;
    void note(const replay::ClockEvent&) override {}

  private:
    bool isPassed(const Mark& mark, Ticks recorded, NodeId node) const;
    void pass();
    Ticks timeOfNext() const { return next_->time + shift_; }

    PackedMarks::Reader next_;  ///< the mark that comes next
    PackedTicks::Reader shifts_;
    Ticks shift_ = 0;  ///< of that mark
    ScaleReader scales_;
    Ticks last_ = 0;  ///< the recorded time of the last event or mark
    double now_ = 0;  ///< the time that it has now
};

}  // namespace holos::analyzer::predict
