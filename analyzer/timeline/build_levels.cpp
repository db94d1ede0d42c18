// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/build_levels.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "analyzer/timeline/file_parts.h"
#include "analyzer/timeline/levels.h"
#include "analyzer/timeline/location_reader.h"
#include "analyzer/trace/file_end.h"
#include "analyzer/workers/workers.h"
#include "base/made_by.h"
#include "base/output_file.h"

namespace holos::analyzer::timeline {

namespace {

constexpr std::uint64_t kEventsInBin = 24;
constexpr std::uint64_t kFewestBins = 64;
constexpr std::uint64_t kBinsOfFewLocations = 1U << 15U;  ///< of all; a picture of few has room for more
constexpr std::uint64_t kFewestOfFew = 512;
constexpr std::uint64_t kMostBins = 1U << 16U;
constexpr std::uint64_t kMostBinsOfAll = 1U << 23U;
constexpr std::uint64_t kEventsPerEnd = 1U << 24U;  ///< for each of so many one channel less is kept
constexpr unsigned kUnitLevel = 4;                  ///< 16 locations are a unit of work

/// As many bins as there are enough events for.
TimeGrid gridFor(const Header& header) {
    const std::uint64_t locations = std::max<std::uint64_t>(header.locations, 1);
    const std::uint64_t most = std::clamp(kMostBinsOfAll / locations, kFewestBins, kMostBins);
    const std::uint64_t fewest = std::clamp(kBinsOfFewLocations / locations, kFewestBins, kFewestOfFew);
    const std::uint64_t wanted = std::clamp(header.promisedEvents / locations / kEventsInBin, fewest, most);
    return {static_cast<Ticks>(header.length), static_cast<unsigned>(std::bit_width(wanted))};
}

class Builder {
  public:
    Builder(const std::filesystem::path& anchor, const trace::Definitions& definitions,
            const std::filesystem::path& file, const BuildOptions& options)
        : definitions_(definitions),
          options_(options),
          header_(headerOf(definitions)),
          grid_(gridFor(header_)),
          activities_(activitiesOf(definitions)),
          classes_(trace::classifyRegions(definitions)),
          stopped_(options.stopped != nullptr ? *options.stopped : never_),
          output_(file, Links::Refused),
          question_{anchor,
                    definitions,
                    classes_,
                    grid_,
                    trace::chunkSizesOf(anchor).events,
                    1 + header_.promisedEvents / kEventsPerEnd,
                    stopped_,
                    [this](std::uint64_t events) { advance(events); }} {
        header_.levels = grid_.levels();
        header_.rows = rowPosition(header_.locations, rowLevelsOf(header_.locations) - 1, 0) + 1;
        header_.oneOf = question_.oneOf;
        places_.resize(header_.rows);
        messages_.resize(header_.locations);
    }

    bool run() {
        output_.write(bytesOf(header_));
        const unsigned top = rowLevelsOf(header_.locations) - 1;
        const unsigned unit = std::min(kUnitLevel, top);
        std::vector<RegionTimes> units(rowsOf(header_.locations, unit));
        workers::makeThreads(options_.threads)->forEach(units.size(), [&](std::size_t at) {
            units[at] = build({unit, at});
        });
        for (unsigned level = unit + 1; level <= top && !stopped_; ++level) units = join(units, level);
        if (stopped_) return false;
        writeMessages();
        header_.table = output_.size();
        for (const RowPlace& place : places_) output_.write(bytesOf(place));
        output_.rewrite(0, bytesOf(header_));
        output_.commit();
        return true;
    }

  private:
    RegionTimes build(RowId row) {
        if (stopped_) return {};
        if (row.level == 0) {
            LocationContent content = readLocation(question_, trace::LocationId(row.row));
            messages_[row.row] = std::move(content.messages);
            if (!stopped_) write(row, content.times, {content.checkpoints, content.quiet, row.row});
            return std::move(content.times);
        }
        RegionTimes times = build({row.level - 1, 2 * row.row});
        const RowId second{row.level - 1, 2 * row.row + 1};
        if (second.row < rowsOf(header_.locations, second.level)) {
            const RegionTimes other = build(second);
            if (!stopped_) times = times.together(other);
        }
        if (!stopped_) write(row, times, {});
        return times;
    }

    std::vector<RegionTimes> join(std::vector<RegionTimes>& below, unsigned level) {
        std::vector<RegionTimes> rows(rowsOf(header_.locations, level));
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const bool isPair = 2 * row + 1 < below.size();
            rows[row] = isPair ? below[2 * row].together(below[2 * row + 1]) : std::move(below[2 * row]);
            write({level, row}, rows[row], {});
        }
        return rows;
    }

    void write(RowId row, const RegionTimes& times, const Places& places) {
        const std::size_t first = row.row << row.level;
        const std::size_t locations = std::min(std::size_t{1} << row.level, header_.locations - first);
        const std::string bytes = packRow(grid_, times, locations, activities_, places);
        const std::lock_guard lock(mutex_);
        places_[rowPosition(header_.locations, row.level, row.row)] = {output_.size(), bytes.size()};
        output_.write(bytes);
    }

    void writeMessages() {
        std::vector<trace::LocationMessages> all;
        for (std::size_t at = 0; at < messages_.size(); ++at)
            all.push_back({trace::LocationId(at), messages_[at]});
        std::vector<trace::Message> pairs =
            trace::pairMessages(definitions_, all, std::numeric_limits<Ticks>::min());
        std::ranges::stable_sort(pairs, {}, &trace::Message::sent);
        header_.messages = output_.size();
        header_.messageCount = pairs.size();
        for (const trace::Message& message : pairs) {
            output_.write(bytesOf(static_cast<std::uint32_t>(message.sender.index())));
            output_.write(bytesOf(static_cast<std::uint32_t>(message.receiver.index())));
            output_.write(bytesOf(message.sent));
            output_.write(bytesOf(message.received));
            output_.write(bytesOf(message.bytes));
        }
    }

    void advance(std::uint64_t events) {
        if (!options_.progress) return;
        const std::lock_guard lock(progressMutex_);
        read_ += events;
        const auto all = static_cast<double>(std::max<std::uint64_t>(header_.promisedEvents, 1));
        options_.progress(std::min(1.0, static_cast<double>(read_) / all));
    }

    const trace::Definitions& definitions_;
    const BuildOptions& options_;
    Header header_;
    TimeGrid grid_;
    std::vector<Activity> activities_;
    std::vector<trace::RegionClass> classes_;
    const std::atomic<bool> never_ = false;
    const std::atomic<bool>& stopped_;
    std::mutex mutex_;  ///< of what follows
    OutputFile output_;
    std::vector<RowPlace> places_;
    LocationQuestion question_;
    std::vector<std::vector<trace::MessageEnd>> messages_;  ///< by location
    std::mutex progressMutex_;
    std::uint64_t read_ = 0;
};

}  // namespace

bool buildLevels(const std::filesystem::path& anchor, const trace::Definitions& definitions,
                 const std::filesystem::path& file, const BuildOptions& options) {
    requireOwn(file, Header::kMagic);
    return Builder(anchor, definitions, file, options).run();
}

}  // namespace holos::analyzer::timeline
