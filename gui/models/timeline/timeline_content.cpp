// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_content.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"

namespace holos::gui {

namespace timeline = analyzer::timeline;
using trace::Ticks;

namespace {

constexpr unsigned kMuchLost = 26;  ///< of 255
constexpr std::size_t kMostSingleMessages = 1500;
constexpr unsigned kPixelsOfBundle = 6;

/// Which bins of a level a window has, and where the pixels of the window find theirs.
struct Bins {
    Bins(const timeline::TimeGrid& grid, const trace::Window& window)
        : level(grid.levelFor(window.from, window.to, window.bins)),
          from(grid.binAt(level, window.from)),
          to(grid.binAt(level, window.to - 1) + 1) {
        const double width = static_cast<double>(window.to - window.from) / window.bins;
        for (unsigned pixel = 0; pixel < window.bins; ++pixel) {
            const auto middle = window.from + static_cast<Ticks>(width * (pixel + 0.5));
            const bool isInRun = middle >= 0 && middle < grid.length();
            ofPixel.push_back(isInRun ? std::clamp(grid.binAt(level, middle), from, to - 1) - from : kNone);
        }
    }
    static constexpr std::size_t kNone = ~std::size_t{0};  ///< outside of the run
    unsigned level;
    std::size_t from, to;
    std::vector<std::size_t> ofPixel;
};

std::vector<timeline::RowId> rowsOf(const TimelineLine& line) {
    std::vector<timeline::RowId> rows;
    for (const LocationRange& range : line.locations)
        for (const timeline::RowId& row : timeline::rowsCovering(range.from, range.to)) rows.push_back(row);
    return rows;
}

/// The dominant regions of several rows: of one region by the sum of its shares.
class Joined {
  public:
    void add(const timeline::Dominant& dominant, double weight) {
        if (dominant.share == 0) return;
        const double part = weight * dominant.share;
        for (auto& [region, sum] : sums_)
            if (region == dominant.region) {
                sum += part;
                return;
            }
        sums_.emplace_back(dominant.region, part);
    }
    /// A region rather than that some are outside of all.
    std::pair<std::uint32_t, double> most() const {
        std::pair<std::uint32_t, double> best{timeline::kOutside, 0.0};
        for (const auto& sum : sums_)
            if (sum.second > best.second && (sum.first != timeline::kOutside || sums_.size() == 1))
                best = sum;
        return best;
    }
    void clear() { sums_.clear(); }

  private:
    std::vector<std::pair<std::uint32_t, double>> sums_;
};

trace::Bin binOf(std::uint32_t region, double share) {
    trace::Bin bin;
    if (region != timeline::kOutside) bin.region = trace::RegionId(region);
    bin.share = share / 255.0;
    return bin;
}

std::vector<trace::Bin> dominantBins(const timeline::Levels& levels, const TimelineLine& line,
                                     const Bins& bins) {
    const std::vector<timeline::RowId> rows = rowsOf(line);
    std::vector<std::vector<timeline::Dominants>> parts;
    for (const timeline::RowId& row : rows)
        parts.push_back(levels.dominants(row, bins.level, bins.from, bins.to));
    const auto all = static_cast<double>(line.count());
    const bool isOne = line.count() == 1;
    std::vector<trace::Bin> result(bins.to - bins.from);
    Joined most, lost;
    for (std::size_t at = 0; at < result.size(); ++at) {
        most.clear();
        lost.clear();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double weight = static_cast<double>(std::size_t{1} << rows[i].level) / all;
            most.add(parts[i][at].most, weight);
            lost.add(parts[i][at].lost, weight);
        }
        const auto loser = lost.most();
        const auto [region, share] = !isOne && loser.second >= kMuchLost ? loser : most.most();
        result[at] = binOf(region, share);
    }
    return result;
}

template <class Times>
double partOf(const Times& times, TimelineColors colors) {
    using timeline::Activity;
    const auto of = [&](Activity activity) {
        return static_cast<double>(times[static_cast<std::size_t>(activity)]);
    };
    switch (colors) {
        case TimelineColors::Lost:
            return of(Activity::Mpi) + of(Activity::OpenMpWaiting);
        case TimelineColors::Mpi:
            return of(Activity::Mpi);
        case TimelineColors::OpenMpWaiting:
            return of(Activity::OpenMpWaiting);
        default:
            return of(Activity::User) + of(Activity::OpenMp) + of(Activity::Nothing);
    }
}

std::vector<float> heatOf(const timeline::Levels& levels, const TimelineLine& line, const Bins& bins,
                          TimelineColors colors) {
    std::vector<double> parts(bins.to - bins.from), all(bins.to - bins.from);
    for (const timeline::RowId& row : rowsOf(line)) {
        const std::vector<timeline::ActivityTimes> times = levels.times(row, bins.level);
        for (std::size_t at = 0; at < parts.size(); ++at) {
            const timeline::ActivityTimes& bin = times[bins.from + at];
            parts[at] += partOf(bin, colors);
            for (const Ticks time : bin) all[at] += static_cast<double>(time);
        }
    }
    std::vector<float> shares(parts.size(), -1.0F);
    for (std::size_t at = 0; at < parts.size(); ++at)
        if (all[at] > 0) shares[at] = static_cast<float>(parts[at] / all[at]);
    return shares;
}

template <class Value>
std::vector<Value> byPixel(const std::vector<Value>& values, const Bins& bins, Value nothing) {
    std::vector<Value> result;
    result.reserve(bins.ofPixel.size());
    for (const std::size_t bin : bins.ofPixel) result.push_back(bin == Bins::kNone ? nothing : values[bin]);
    return result;
}

}  // namespace

TimelineRow coarseRow(const timeline::Levels& levels, const TimelineLine& line, const trace::Window& window,
                      TimelineColors colors) {
    TimelineRow row;
    if (line.locations.empty()) return row;
    const Bins bins(levels.grid(), window);
    row.excerpt.bins = byPixel(dominantBins(levels, line, bins), bins, trace::Bin{});
    if (colors != TimelineColors::Calls && colors != TimelineColors::Metric)
        row.shares = byPixel(heatOf(levels, line, bins, colors), bins, -1.0F);
    return row;
}

std::vector<float> heatInPart(const TimesInPart& part, const TimelineLine& line, const trace::Window& window,
                              Ticks runLength, TimelineColors colors) {
    const auto times = part.times(line.locations, window.from, window.to, window.bins);
    const double width = static_cast<double>(window.to - window.from) / std::max(1U, window.bins);
    const double all = width * static_cast<double>(line.count());
    std::vector<float> shares(times.size(), -1.0F);
    for (std::size_t pixel = 0; pixel < times.size() && all > 0; ++pixel) {
        const double middle = static_cast<double>(window.from) + width * (static_cast<double>(pixel) + 0.5);
        if (middle < 0 || middle >= static_cast<double>(runLength)) continue;
        shares[pixel] = static_cast<float>(std::min(1.0, partOf(times[pixel], colors) / all));
    }
    return shares;
}

std::vector<timeline::ActivityTimes> timesOf(const timeline::Levels& levels, const ShownLocations& shown,
                                             unsigned level) {
    if (shown.empty()) return levels.times({levels.rowLevels() - 1, 0}, level);
    std::vector<timeline::ActivityTimes> sums;
    for (const LocationRange& range : neighboursOf(shown, shown.size()))
        for (const timeline::RowId& row : timeline::rowsCovering(range.from, range.to)) {
            const auto times = levels.times(row, level);
            sums.resize(std::max(sums.size(), times.size()));
            for (std::size_t bin = 0; bin < times.size(); ++bin)
                for (std::size_t activity = 0; activity < timeline::kActivities; ++activity)
                    sums[bin][activity] += times[bin][activity];
        }
    return sums;
}

std::vector<double> sharesIn(const timeline::Levels& levels, const ShownLocations& shown, Ticks from,
                             Ticks to) {
    const timeline::TimeGrid& grid = levels.grid();
    std::vector<timeline::ActivityTimes> times;
    try {
        times = timesOf(levels, shown, 0);
    } catch (const Error&) {
        return {};
    }
    std::vector<double> sums(timeline::kActivities);
    double all = 0;
    for (std::size_t bin = grid.binAt(0, from); bin < times.size() && grid.edge(0, bin) < to; ++bin) {
        const Ticks begin = std::max(from, grid.edge(0, bin));
        const Ticks end = std::min(to, grid.edge(0, bin + 1));
        const double part = static_cast<double>(std::max<Ticks>(end - begin, 0)) /
                            static_cast<double>(std::max<Ticks>(grid.width(0, bin), 1));
        for (std::size_t activity = 0; activity < sums.size(); ++activity) {
            sums[activity] += part * static_cast<double>(times[bin][activity]);
            all += part * static_cast<double>(times[bin][activity]);
        }
    }
    if (all > 0)
        for (double& sum : sums) sum /= all;
    return sums;
}

bool needsCalls(const timeline::Levels& levels, const trace::Definitions& definitions,
                trace::LocationId location, const trace::Window& window) {
    const double part = static_cast<double>(window.to - window.from) /
                        static_cast<double>(std::max<Ticks>(levels.grid().length(), 1));
    const bool isCoarse = part * static_cast<double>(levels.grid().bins(0)) < window.bins;
    const double events = part * static_cast<double>(definitions[location].events);
    return isCoarse || events < static_cast<double>(2 * kMostSpans);
}

void addMessages(const timeline::KeptMessages& kept, const TimelineQuestion& question,
                 TimelinePicture& picture) {
    const trace::Window& window = question.window;
    const auto isInSight = [&](trace::LocationId location) {
        const auto line = question.lines->lineOf(location);
        return line && question.has(*line);
    };
    const auto hasLines = [&](const trace::Message& message) {
        return question.lines->lineOf(message.sender) && question.lines->lineOf(message.receiver);
    };
    picture.oneOf = kept.oneOf;
    std::vector<const trace::Message*> found;
    for (const trace::Message& message : kept.messages) {
        if (message.sent >= window.to) break;
        if (std::max(message.sent, message.received) < window.from) continue;
        if (hasLines(message) && (isInSight(message.sender) || isInSight(message.receiver)))
            found.push_back(&message);
    }
    picture.messageCount = found.size();
    const bool areMany = found.size() > kMostSingleMessages;
    const double perCell = static_cast<double>(window.to - window.from) / window.bins * kPixelsOfBundle;
    const auto cell = [&](Ticks time) {
        return static_cast<std::int64_t>(static_cast<double>(time - window.from) / perCell);
    };
    std::map<std::tuple<int, int, std::int64_t, std::int64_t>, std::size_t> known;
    for (const trace::Message* message : found) {
        const MessageBundle one{message->sender, message->receiver, message->sent, message->received,
                                message->bytes};
        if (areMany) {
            const std::tuple key(question.lines->lineOf(message->sender).value_or(-1),
                                 question.lines->lineOf(message->receiver).value_or(-1), cell(message->sent),
                                 cell(message->received));
            const auto [entry, isNew] = known.try_emplace(key, picture.messages.size());
            if (!isNew) {
                MessageBundle& bundle = picture.messages[entry->second];
                bundle.bytes += message->bytes;
                ++bundle.count;
                continue;
            }
        }
        picture.messages.push_back(one);
    }
    picture.tooManyMessages = picture.messages.size() > 20 * kMostSingleMessages;
    if (picture.tooManyMessages) picture.messages.clear();
}

}  // namespace holos::gui
