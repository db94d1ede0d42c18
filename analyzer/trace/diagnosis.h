// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/trace/ids.h"

namespace holos::analyzer {

/// What kind of trouble a trace had. `toString` gives the word that stands in reports.
enum class Trouble : std::uint8_t {
    DamagedFile,        ///< an event or definition file is missing, truncated or cannot be decoded to its end
    MissingDefinition,  ///< an event refers to something that is not defined
    UnbalancedCalls,    ///< a leave without its enter, or an enter without its leave
    ClockBackwards,     ///< a timestamp before its predecessor's
    UnmatchedMessage,   ///< a send without receive or a receive without send
    UnmatchedCollective,  ///< not all ranks of a communicator took part, or they disagree on the operation
    UnmatchedThreads,     ///< a team without fork, a barrier or lock event without its counterparts
    ClockViolation,       ///< a receive before its send, and the like: waiting times there are bounded
    NotAnalyzed,          ///< recorded correctly, but of a kind that the analysis leaves out
    NotRecorded,          ///< what the writer left out, so that a part of the analysis is missing
    Contradiction,        ///< results that contradict each other: nothing should be concluded from them
};
const char* toString(Trouble);

/// One thing that was repaired or left out. Equal troubles of one location are counted in one diagnosis.
struct Diagnosis {
    Trouble trouble;
    std::string message;                    ///< what was found, and what was done about it
    std::optional<std::uint64_t> location;  ///< OTF2's id of the location
    std::optional<std::uint64_t> event;     ///< number of the first such event in its location, from 1
    std::optional<double> time;             ///< of the first such event, in seconds since the trace's start
    std::uint64_t count = 1;                ///< how many of these there were
};

/// One line: `location 3, event 1204, 0.0173 s: a leave of "f" without its enter was left out (5 times)`.
std::string diagnosisText(const Diagnosis&);
/// A line for each diagnosis, as `holos.diagnoses` in the experiment's file holds them.
std::string diagnosesText(const std::vector<Diagnosis>&);

namespace trace {
struct Definitions;
}

/// Collects what one location's events had of trouble, equal ones once. Bounded, however bad the trace.
class DiagnosisLog {
  public:
    DiagnosisLog(const trace::Definitions& definitions, std::uint64_t location)
        : definitions_(definitions), location_(location) {}

    void add(Trouble trouble, const std::string& message, std::uint64_t event = 0, trace::Ticks time = 0);
    const std::vector<Diagnosis>& all() const { return diagnoses_; }

  private:
    static constexpr std::size_t kMost = 64;
    const trace::Definitions& definitions_;
    std::uint64_t location_;
    std::vector<Diagnosis> diagnoses_;
};

}  // namespace holos::analyzer
