// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "analyzer/memory/records.h"
#include "analyzer/replay/records.h"

namespace holos::analyzer::replay {

/// Calls of one call path that found nothing, such as `MPI_Test` and `MPI_Iprobe`: one or more, between which
/// nothing else was called, or, where there are many in turns, only others of these.
struct PollRecord {
    NodeId node;
    std::uint32_t slice = 0;     ///< of the profile: begins with the first of them
    std::uint32_t call = kNone;  ///< that found something at last, among the calls with records
    bool isProbe = false;        ///< looks for messages that nobody has asked for yet
    std::uint64_t event = 0;     ///< number in the location, of the enter of the first
    Ticks begin = 0;             ///< when the first was entered
    Ticks end = 0;               ///< when the last was left
    Ticks inside = 0;            ///< time in the calls themselves
};

/// Makes them, and tells which call ended each. Between two that did there are a few records only, however
/// many polls there were.
class PollRecorder {
  public:
    explicit PollRecorder(Memory memory) : records_(memory) {}

    /// A call that may find nothing begins. `follows`: nothing was called since the last one, of the same
    /// path.
    void enter(std::uint64_t event, bool follows) {
        event_ = event;
        follows_ = follows;
        span_ = 0;
    }
    /// It stands for several, which began so long before its end.
    void spread(Ticks span) { span_ = span; }
    /// Where it found nothing and is no part of the record of those before, a record of its own is made; then
    /// true.
    bool leaveInVain(NodeId node, Ticks enter, Ticks leave);
    /// Of the record that was made last.
    void beginsWith(std::uint32_t slice, bool isProbe) {
        records_.back().slice = slice;
        records_.back().isProbe = isProbe;
    }

    bool isWaiting() const { return first_ != records_.size(); }
    /// The polls since the last such call were for what this one found.
    void found(std::uint32_t call, bool byProbe);

    Records<PollRecord> take() { return std::move(records_); }

  private:
    /// Records that wait for the call that ends them; more polls are added to those of their path.
    static constexpr std::size_t kMostWaiting = 64;
    PollRecord* sameAs(NodeId node);

    Records<PollRecord> records_;
    std::size_t first_ = 0;  ///< all before it have their calls
    std::uint64_t event_ = 0;
    bool follows_ = false;
    Ticks span_ = 0;
};

}  // namespace holos::analyzer::replay
