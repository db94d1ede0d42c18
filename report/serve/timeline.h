// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "analyzer/timeline/levels.h"
#include "analyzer/trace/definitions.h"
#include "base/temporary_folder.h"

namespace holos::serve {

/// A part of the picture of a run over time.
struct TileRequest {
    double from = 0.0;  ///< seconds since the start of the run
    double to = 0.0;
    std::size_t pixels = 0;  ///< over which the time goes
    std::size_t firstLocation = 0;
    std::size_t locations = 0;  ///< how many of them
    std::size_t rows = 0;  ///< at most; where there are more locations, a row has 2, 4, 8, … neighbours
};

/// The picture of a trace over time, out of its levels of detail: those beside it, or else made now in a
/// thread of its own and kept in a temporary folder. Thread safety: safe.
class Timeline {
  public:
    /// Throws `holos::Error` for a trace that cannot be read.
    explicit Timeline(const std::filesystem::path& anchor);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    double seconds() const { return definitions_.seconds(definitions_.clock.length); }
    /// As an object: `regions` that are seen, and `rows` with `runs` of region (0: none, 1: the first), share
    /// of the time in it in percent, and number of bins, one after the other. While the levels are being made
    /// it has `ready`: false and the part that is done.
    nlohmann::ordered_json tile(const TileRequest& request);

  private:
    /// Null while they are being made.
    std::shared_ptr<const analyzer::timeline::Levels> levels();
    void start();
    void build();

    std::filesystem::path anchor_;
    analyzer::trace::Definitions definitions_;
    std::thread builder_;
    std::atomic<bool> stopped_ = false;
    std::atomic<double> part_ = 0.0;

    std::mutex mutex_;  ///< of all below
    bool isStarted_ = false;
    std::unique_ptr<TemporaryFolder> folder_;
    std::shared_ptr<const analyzer::timeline::Levels> levels_;
    std::string failure_;
};

}  // namespace holos::serve
