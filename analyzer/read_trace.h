// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

#include "analyzer/analyze.h"
#include "analyzer/replay/location_replay.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/trace/copied_archive.h"
#include "analyzer/workers/ranks.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer {

/// Turns events into parts of the whole. Reading is nearly all of the work; what follows is counted as a
/// tenth.
/// Thread safety: safe.
class ProgressMeter {
  public:
    /// `locations`: what is read here; `readings`: how often; `stopped`: when nobody wants the rest.
    ProgressMeter(const std::function<void(const AnalysisProgress&)>& report,
                  const trace::Definitions& definitions, const std::vector<trace::LocationId>& locations,
                  unsigned readings, const std::atomic<bool>* stopped = nullptr);
    /// Throws `Stopped` then. Not every call is reported, but each further half of a percent.
    void advance(std::uint64_t events);
    void finish();

  private:
    const std::function<void(const AnalysisProgress&)>& report_;
    const std::atomic<bool>* stopped_;
    std::mutex mutex_;
    std::uint64_t done_ = 0;
    std::uint64_t nextReport_ = 0;  ///< when so many are done
    std::uint64_t total_ = 0;
};

/// How a trace is read.
struct Reading {
    const std::filesystem::path& anchor;
    workers::Ranks& ranks;
    const workers::Shares& shares;
    workers::Workers& workers;
    ProgressMeter& meter;
    Memory memory = heap();                                         ///< for records
    bool withProfiles = false;                                      ///< for causes
    bool withCounters = true;                                       ///< else those of nodes are not divided
    std::function<replay::Clock*(trace::LocationId)> clockOf = {};  ///< what corrects a location's times
    /// What need not be read of a location.
    std::function<std::vector<trace::QuietCalls>(trace::LocationId)> passedOf = {};
    const trace::ShortenedArchive* shortened = nullptr;  ///< where files without it are made
    /// Who hears of a location's calls, or null.
    std::function<replay::CallListener*(trace::LocationId)> listenerOf = {};
};

/// What replay makes of a trace, by location.
struct Replay {
    ByLocation<replay::LocationCalls> calls;
    ByLocation<replay::LocationTrace> traces;
    ByLocation<std::vector<Diagnosis>> diagnoses;
    std::unique_ptr<replay::TeamBoard> forks;  ///< those of this rank's share
};

/// Reads and replays one location.
replay::ReplayedLocation readLocation(const Reading& reading, const replay::Context& context,
                                      trace::LocationId location);

/// Reads and replays the locations of this rank's share. `take` gets what is left of each, from the thread
/// that has replayed it; several at the same time.
void replayShare(const Reading& reading, const trace::Definitions& definitions,
                 const std::vector<trace::RegionClass>& classes,
                 const std::function<void(trace::LocationId, replay::ReplayedLocation)>& take);

/// Reads and replays a trace: each rank its share, one location of a worker at a time. The first rank gets
/// all locations, the others none.
Replay readTrace(const Reading& reading, const trace::Definitions& definitions,
                 const std::vector<trace::RegionClass>& classes);

}  // namespace holos::analyzer
