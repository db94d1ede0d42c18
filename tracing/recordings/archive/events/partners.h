// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/run/host_clocks.h"

/// Where threads kept only their newest events, each has another beginning: that of a message may be
/// overwritten in the sender, and its end still be there in the receiver. Readers of a trace take the first
/// receive for that of the first send; so what has lost its partner must not be in it, or everything behind
/// it is paired with something else.
///
///     rank 0   ▒▒▒▒▒▒▒▒▒ send 3  send 4  send 5      ▒ overwritten
///     rank 1   ▒▒▒▒ recv 2  recv 3  recv 4  recv 5   recv 2 is a call without a message
///
/// What a call left whose start was overwritten is not in the trace either, and has no partners: there it
/// would be the program's, since its start.
///
/// What is paired is found from the end, where all processes ended in order: each message was received, and
/// each collective operation finished, then. Of processes that were killed the latest possible partners are
/// taken.
namespace holos::archive {

/// Records of one location that have no partner, by their numbers in the order of `SettledEvents`.
class RecordsWithoutPartner {
  public:
    void add(std::uint64_t record) { records_.push_back(record); }
    /// After all were added.
    void sort();
    /// `record` does not become smaller from call to call.
    bool has(std::uint64_t record) {
        while (next_ < records_.size() && records_[next_] < record) ++next_;
        return next_ < records_.size() && records_[next_] == record;
    }

  private:
    std::vector<std::uint64_t> records_;
    std::size_t next_ = 0;
};

/// What has no partner in the recorded processes of a trace.
struct WithoutPartner {
    std::map<std::uint64_t, RecordsWithoutPartner> byLocation;
    std::uint64_t messages = 0;
    std::uint64_t operations = 0;  ///< collective ones, of one process each
    std::uint64_t forks = 0;

    /// In a sentence; empty where everything has a partner.
    std::string note() const;
};

/// Reads all events once.
WithoutPartner findWithoutPartner(const TracePlan& plan, const Timeline& timeline);

}  // namespace holos::archive
