// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/timeline.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyzer/timeline/build_levels.h"
#include "analyzer/timeline/region_times.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"

namespace holos::serve {

using nlohmann::ordered_json;
namespace levels = analyzer::timeline;
namespace trace = analyzer::trace;

namespace {

/// Bins of a tile, of all its rows together: 50 kB, mostly far less.
constexpr std::size_t kMostBins = 20'000;
constexpr std::size_t kMostTileRows = 200;
constexpr double kShares = 255.0;

std::string activityName(levels::Activity activity) {
    using enum levels::Activity;
    switch (activity) {
        case Nothing:
            return "nothing";
        case User:
            return "user";
        case Mpi:
            return "mpi";
        case OpenMp:
            return "openmp";
        case OpenMpWaiting:
            return "openmp waiting";
        case Other:
            break;
    }
    return "other";
}

std::string locationName(const trace::Definitions& definitions, std::size_t location) {
    const trace::Location& one = definitions.locations[location];
    const trace::Process& process = definitions[one.process];
    return process.threads.size() > 1 ? process.name + " / " + one.name : process.name;
}

/// Bins of the level that suits the pixels.
struct Bins {
    unsigned level = 0;
    std::size_t from = 0;
    std::size_t to = 0;
};

Bins binsFor(const levels::TimeGrid& grid, trace::Ticks from, trace::Ticks to, std::size_t wanted) {
    Bins bins{.level = grid.levelFor(from, to, static_cast<double>(wanted))};
    const auto find = [&] {
        bins.from = grid.binAt(bins.level, from);
        bins.to = grid.binAt(bins.level, to - 1) + 1;
    };
    for (find(); bins.to - bins.from > 2 * wanted + 2 && bins.level + 1 < grid.levels(); find()) ++bins.level;
    return bins;
}

/// Rows of 2^level neighbouring locations, so that there are not too many.
struct TileRows {
    unsigned level = 0;
    std::size_t from = 0;
    std::size_t to = 0;
};

TileRows rowsFor(const levels::Levels& found, const TileRequest& request) {
    const std::size_t first = std::min(request.firstLocation, found.locations());
    const std::size_t count = std::min(request.locations, found.locations() - first);
    const std::size_t most = std::min(request.rows, kMostTileRows);
    TileRows rows;
    while ((count >> rows.level) > most && rows.level + 1 < found.rowLevels()) ++rows.level;
    const std::size_t together = std::size_t{1} << rows.level;
    rows.from = first >> rows.level;
    rows.to = std::min((first + count + together - 1) >> rows.level, found.rows(rows.level));
    return rows;
}

/// A tile while it is put together: regions get numbers as they are met.
class Tile {
  public:
    Tile(const levels::Levels& found, const trace::Definitions& definitions)
        : found_(found), definitions_(definitions) {}

    void addRow(levels::RowId id, const Bins& bins) {
        ordered_json runs = ordered_json::array();
        Run run;
        for (const levels::Dominants& bin : found_.dominants(id, bins.level, bins.from, bins.to)) {
            const Run now = runOf(bin.most);
            if (now.region != run.region || now.percent != run.percent) {
                append(run, runs);
                run = now;
            }
            ++run.bins;
        }
        append(run, runs);
        const std::size_t first = id.row << id.level;
        const std::size_t end = std::min((id.row + 1) << id.level, found_.locations());
        rows_.push_back({{"first", first},
                         {"locations", end - first},
                         {"name", locationName(definitions_, first)},
                         {"runs", std::move(runs)}});
    }
    ordered_json takeRows() { return std::move(rows_); }
    const ordered_json& regions() const { return regions_; }

  private:
    struct Run {
        std::size_t region = 0;  ///< 0: outside of all; 1: the first of the tile
        unsigned percent = 0;
        std::size_t bins = 0;
    };

    /// Shares are told apart in so many steps: more than an eye sees, and runs get longer.
    Run runOf(const levels::Dominant& most) {
        constexpr double kSteps = 16.0;
        if (most.region == levels::kOutside) return {};
        const auto [known, isNew] = numbers_.try_emplace(most.region, numbers_.size() + 1);
        if (isNew) {
            const trace::Region& region = definitions_.regions[most.region];
            regions_.push_back(
                {{"name", region.name}, {"activity", activityName(levels::activityOf(region))}});
        }
        return {.region = known->second,
                .percent = static_cast<unsigned>(std::ceil(most.share / kShares * kSteps) * 100.0 / kSteps)};
    }
    static void append(const Run& run, ordered_json& runs) {
        if (run.bins == 0) return;
        runs.push_back(run.region);
        runs.push_back(run.percent);
        runs.push_back(run.bins);
    }

    const levels::Levels& found_;
    const trace::Definitions& definitions_;
    std::map<std::uint32_t, std::size_t> numbers_;
    ordered_json regions_ = ordered_json::array();
    ordered_json rows_ = ordered_json::array();
};

}  // namespace

Timeline::Timeline(const std::filesystem::path& anchor)
    : anchor_(trace::findAnchor(anchor)), definitions_(trace::readDefinitions(anchor_)) {}

Timeline::~Timeline() {
    stopped_ = true;
    if (builder_.joinable()) builder_.join();
}

void Timeline::start() {
    try {
        levels_ = std::make_shared<const levels::Levels>(levels::levelsFile(anchor_), anchor_, definitions_);
    } catch (const Error&) {  // none, or old ones
        builder_ = std::thread([this] { build(); });
    }
}

void Timeline::build() {
    std::unique_ptr<TemporaryFolder> folder;
    std::shared_ptr<const levels::Levels> made;
    std::string failure;
    try {
        folder = std::make_unique<TemporaryFolder>(std::filesystem::temp_directory_path());
        const auto file = folder->path() / "traces.timeline";
        levels::BuildOptions options;
        options.stopped = &stopped_;
        options.progress = [this](double part) { part_ = part; };
        if (levels::buildLevels(anchor_, definitions_, file, options))
            made = std::make_shared<const levels::Levels>(file, anchor_, definitions_);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    const std::lock_guard lock(mutex_);
    folder_ = std::move(folder);
    levels_ = std::move(made);
    failure_ = std::move(failure);
}

std::shared_ptr<const levels::Levels> Timeline::levels() {
    const std::lock_guard lock(mutex_);
    if (!isStarted_) start();
    isStarted_ = true;
    if (!failure_.empty()) throw Error(failure_);
    return levels_;
}

ordered_json Timeline::tile(const TileRequest& request) {
    const auto found = levels();
    if (!found) return {{"ready", false}, {"part", part_.load()}};
    const levels::TimeGrid& grid = found->grid();
    const auto ticksAt = [&](double seconds) {
        return static_cast<trace::Ticks>(
            std::clamp(seconds * static_cast<double>(definitions_.clock.ticksPerSecond), 0.0,
                       static_cast<double>(grid.length())));
    };
    const trace::Ticks from = std::min(ticksAt(request.from), grid.length() - 1);
    const trace::Ticks to = std::max(ticksAt(request.to), from + 1);
    const TileRows rows = rowsFor(*found, request);
    const std::size_t mostBins =
        std::max<std::size_t>(kMostBins / std::max<std::size_t>(rows.to - rows.from, 1), 1);
    const Bins bins = binsFor(grid, from, to, std::min(mostBins, request.pixels));
    Tile tile(*found, definitions_);
    for (std::size_t row = rows.from; row < rows.to; ++row) tile.addRow({rows.level, row}, bins);
    return {{"ready", true},
            {"seconds", definitions_.seconds(grid.length())},
            {"locations", found->locations()},
            {"from", definitions_.seconds(grid.edge(bins.level, bins.from))},
            {"to", definitions_.seconds(grid.edge(bins.level, bins.to))},
            {"bins", bins.to - bins.from},
            {"regions", tile.regions()},
            {"rows", tile.takeRows()}};
}

}  // namespace holos::serve
