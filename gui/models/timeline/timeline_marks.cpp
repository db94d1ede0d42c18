// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_marks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "base/error.h"

namespace holos::gui {

namespace timeline = analyzer::timeline;
using timeline::CourseMark;
using timeline::MarkKind;
using trace::Ticks;

namespace {

constexpr std::size_t kMostRead = 1U << 15U;
constexpr std::size_t kMostWaitsInSight = 2000;
constexpr std::size_t kMostOperations = 1U << 17U;
constexpr std::size_t kMostSingleOperations = 200;
constexpr std::size_t kMostOperationsWithParts = 60;
constexpr double kPixelsOfWait = 3;
constexpr int kPixelsOfOperations = 6;

/// Of one question.
class Sight {
  public:
    explicit Sight(const TimelineQuestion& question)
        : question_(question),
          pixel_(static_cast<double>(question.window.to - question.window.from) /
                 std::max(1U, question.window.bins)) {}

    Ticks ticks(double pixels) const { return static_cast<Ticks>(pixel_ * pixels); }
    std::optional<int> lineOf(std::uint32_t location) const {
        return question_.lines->lineOf(trace::LocationId(location));
    }
    bool has(std::uint32_t location) const {
        const auto line = lineOf(location);
        return line && question_.has(*line);
    }
    /// Whether lines between those of two locations are in sight.
    bool hasAnyOf(const CourseMark& mark) const {
        const auto first = lineOf(mark.location);
        const auto last = lineOf(mark.other);
        if (!first || !last) return false;
        const bool isAcross =
            std::max(*first, *last) >= question_.firstLine && std::min(*first, *last) < question_.endLine;
        return isAcross || question_.has(*first) || question_.has(*last);
    }
    std::int64_t cell(Ticks time) const {
        return static_cast<std::int64_t>(static_cast<double>(time - question_.window.from) /
                                         std::max(1.0, pixel_ * kPixelsOfOperations));
    }
    timeline::CourseMarks marks(const timeline::Course& course, MarkKind kind, double pixels,
                                std::size_t most) const {
        return course.marks(kind, question_.window.from, question_.window.to, ticks(pixels), most);
    }

  private:
    const TimelineQuestion& question_;
    double pixel_;
};

void addWaits(const timeline::Course& course, const Sight& sight, CoursePicture& picture) {
    timeline::CourseMarks told = sight.marks(course, MarkKind::Wait, kPixelsOfWait, kMostRead);
    picture.longestWaits = told.isCut;
    const Ticks least = sight.ticks(kPixelsOfWait);
    std::erase_if(told.marks, [&](const CourseMark& mark) {
        return mark.end - mark.begin < least || !sight.has(mark.location);
    });
    picture.waits = std::move(told.marks);
    if (picture.waits.size() <= kMostWaitsInSight) return;
    picture.longestWaits = true;
    std::nth_element(
        picture.waits.begin(), picture.waits.begin() + kMostWaitsInSight, picture.waits.end(),
        [](const CourseMark& a, const CourseMark& b) { return a.end - a.begin > b.end - b.begin; });
    picture.waits.resize(kMostWaitsInSight);
}

void addOperations(const timeline::Course& course, const Sight& sight, CoursePicture& picture) {
    std::vector<CourseMark> all = sight.marks(course, MarkKind::Operation, 0, kMostOperations).marks;
    std::erase_if(all, [&](const CourseMark& mark) { return !sight.hasAnyOf(mark); });
    const bool areMany = all.size() > kMostSingleOperations;
    std::map<std::tuple<int, int, std::int64_t, std::int64_t>, std::size_t> known;
    for (const CourseMark& mark : all) {
        if (areMany) {
            const std::tuple key(*sight.lineOf(mark.location), *sight.lineOf(mark.other),
                                 sight.cell(mark.begin), sight.cell(mark.end));
            const auto [entry, isNew] = known.try_emplace(key, picture.operations.size());
            if (!isNew) {
                OperationBundle& bundle = picture.operations[entry->second];
                bundle.operation.end = std::max(bundle.operation.end, mark.end);
                ++bundle.count;
                continue;
            }
        }
        picture.operations.push_back({mark});
    }
    if (all.size() > kMostOperationsWithParts) return;
    picture.parts = sight.marks(course, MarkKind::Part, 0, kMostRead).marks;
    std::erase_if(picture.parts, [&](const CourseMark& mark) { return !sight.has(mark.location); });
    std::stable_sort(picture.parts.begin(), picture.parts.end(),
                     [](const CourseMark& a, const CourseMark& b) {
                         return std::tuple(a.group, a.location) < std::tuple(b.group, b.location);
                     });
}

void addPath(const timeline::Course& course, const TimelineQuestion& question, const Sight& sight,
             TimelinePicture& picture) {
    picture.marks.path = sight.marks(course, MarkKind::Path, 1, kMostRead).marks;
    // Where bins are wider than pixels, all parts of the path are among the marks.
    if (course.grid().width(0, 0) > sight.ticks(2)) return;
    for (std::size_t row = 0; row < picture.rows.size(); ++row)
        picture.rows[row].onPath =
            sharesOf(course, timeline::kPathName, (*question.lines)[picture.lineOf(row)], question.window);
}

}  // namespace

void addMarks(const CoursePtr& course, const TimelineQuestion& question, TimelinePicture& picture) {
    if (!course) return;
    picture.marks.course = course;
    const Sight sight(question);
    if (question.marks.waits) addWaits(*course, sight, picture.marks);
    if (question.marks.operations) addOperations(*course, sight, picture.marks);
    if (question.marks.path) addPath(*course, question, sight, picture);
}

std::vector<float> sharesOf(const timeline::Course& course, const std::string& name, const TimelineLine& line,
                            const trace::Window& window) {
    const auto position = course.nameOf(name);
    if (!position || line.locations.empty() || window.bins == 0) return {};
    const timeline::TimeGrid& grid = course.grid();
    const unsigned level = grid.levelFor(window.from, window.to, window.bins);
    std::vector<Ticks> all;
    for (const LocationRange& range : line.locations)
        for (const timeline::RowId& row : timeline::rowsCovering(range.from, range.to)) {
            const std::vector<Ticks> some = course.sums(*position, row, level);
            if (all.empty()) all.resize(some.size());
            for (std::size_t at = 0; at < some.size(); ++at) all[at] += some[at];
        }
    if (all.empty()) return {};
    std::vector<float> shares(window.bins, -1.0F);
    const double width = static_cast<double>(window.to - window.from) / window.bins;
    for (unsigned pixel = 0; pixel < window.bins; ++pixel) {
        const auto middle = window.from + static_cast<Ticks>(width * (pixel + 0.5));
        if (middle < 0 || middle >= grid.length()) continue;
        const std::size_t bin = grid.binAt(level, middle);
        const double most = static_cast<double>(grid.width(level, bin)) * static_cast<double>(line.count());
        shares[pixel] = static_cast<float>(static_cast<double>(all[bin]) / std::max(1.0, most));
    }
    return shares;
}

namespace {

constexpr std::size_t kSlices = 64;

/// Calls `take` with each mark of a kind that touches a stretch of time, and with its ends there. Not all are
/// in memory at once.
template <class Take>
void eachMark(const timeline::Course& course, MarkKind kind, Ticks from, Ticks to, Take take) {
    const Ticks step = std::max<Ticks>(1, (to - from) / static_cast<Ticks>(kSlices));
    for (Ticks begin = from; begin < to; begin += step) {
        const Ticks end = std::min(to, begin + step);
        for (const CourseMark& mark :
             course.marks(kind, begin, end, 0, std::numeric_limits<std::size_t>::max() / 2).marks)
            if (mark.begin < end && mark.end > begin)
                take(mark, std::max(mark.begin, begin), std::min(mark.end, end));
    }
}

}  // namespace

void keepMarksOfPart(const TimesInPart& part, const TimelineQuestion& question, TimelinePicture& picture) {
    if (!picture.marks.course || !part.isExact()) return;
    picture.areMarksOfPart = true;
    std::erase_if(picture.marks.waits, [&part](const CourseMark& wait) {
        return part.overlap(trace::LocationId(wait.location), wait.begin, wait.end) == 0;
    });
    std::vector<CourseMark> pieces;
    for (const CourseMark& whole : picture.marks.path)
        for (const auto& [begin, end] :
             part.within(trace::LocationId(whole.location), whole.begin, whole.end)) {
            CourseMark piece = whole;
            piece.begin = begin;
            piece.end = end;
            if (end != whole.end) piece.other = timeline::kNobody;
            pieces.push_back(piece);
        }
    picture.marks.path = std::move(pieces);
    for (std::size_t row = 0; row < picture.rows.size(); ++row)
        if (std::vector<float>& onPath = picture.rows[row].onPath; !onPath.empty())
            onPath = sharesInPart(*picture.marks.course, timeline::kPathName, part,
                                  (*question.lines)[picture.lineOf(row)], question.window);
}

std::vector<float> sharesInPart(const timeline::Course& course, const std::string& name,
                                const TimesInPart& part, const TimelineLine& line,
                                const trace::Window& window) {
    const auto position = course.nameOf(name);
    if (!position || !part.isExact() || isCostName(name) || window.bins == 0) return {};
    const Ticks from = std::max<Ticks>(0, window.from), to = std::min(window.to, course.grid().length());
    const double width = static_cast<double>(window.to - window.from) / window.bins;
    std::vector<float> shares(window.bins, -1.0F);
    for (unsigned pixel = 0; pixel < window.bins; ++pixel) {
        const double middle = static_cast<double>(window.from) + width * (pixel + 0.5);
        if (middle >= 0 && middle < static_cast<double>(course.grid().length())) shares[pixel] = 0.0F;
    }
    const auto isHere = [&line](std::uint32_t location) {
        return std::ranges::any_of(line.locations, [location](const LocationRange& range) {
            return location >= range.from && location < range.to;
        });
    };
    const bool isPath = name == timeline::kPathName;
    const double all = width * static_cast<double>(line.count());
    const auto add = [&](std::size_t pixel, double ticks) {
        shares[pixel] = std::min(1.0F, std::max(shares[pixel], 0.0F) + static_cast<float>(ticks / all));
    };
    eachMark(course, isPath ? MarkKind::Path : MarkKind::Wait, from, to,
             [&](const CourseMark& mark, Ticks begin, Ticks end) {
                 if ((!isPath && mark.name != *position) || !isHere(mark.location)) return;
                 for (const auto& [first, last] : part.within(trace::LocationId(mark.location), begin, end))
                     spreadOver(window.from, window.to, window.bins, first, last, add);
             });
    return shares;
}

bool isCostName(const std::string& name) {
    return name.rfind(timeline::kDelayName, 0) == 0;
}

double largestShare(const timeline::Course& course, const std::string& name) {
    const auto position = course.nameOf(name);
    double largest = 1.0;
    for (std::size_t location = 0; position && location < course.locations(); ++location) {
        const std::vector<Ticks> sums = course.sums(*position, {0, location}, 0);
        for (std::size_t bin = 0; bin < sums.size(); ++bin)
            largest =
                std::max(largest, static_cast<double>(sums[bin]) /
                                      static_cast<double>(std::max<Ticks>(course.grid().width(0, bin), 1)));
    }
    return largest;
}

namespace {

/// By bin of the finest level, of these locations together.
std::vector<Ticks> sumsOf(const timeline::Course& course, std::uint32_t name, const ShownLocations& shown) {
    if (shown.empty()) return course.sums(name, {timeline::rowLevelsOf(course.locations()) - 1, 0}, 0);
    std::vector<Ticks> sums;
    for (const LocationRange& range : neighboursOf(shown, shown.size()))
        for (const timeline::RowId& row : timeline::rowsCovering(range.from, range.to)) {
            const std::vector<Ticks> each = course.sums(name, row, 0);
            sums.resize(std::max(sums.size(), each.size()));
            for (std::size_t bin = 0; bin < each.size(); ++bin) sums[bin] += each[bin];
        }
    return sums;
}

}  // namespace

std::vector<std::pair<std::string, double>> waitsIn(const timeline::Course& course,
                                                    const trace::Definitions& definitions,
                                                    const ShownLocations& shown, Ticks from, Ticks to) {
    std::vector<std::pair<std::string, double>> waits;
    const timeline::TimeGrid& grid = course.grid();
    try {
        for (std::uint32_t name = 0; name < course.names().size(); ++name) {
            if (course.names()[name] == timeline::kPathName || isCostName(course.names()[name])) continue;
            const std::vector<Ticks> sums = sumsOf(course, name, shown);
            double ticks = 0;
            for (std::size_t bin = grid.binAt(0, from); bin < sums.size() && grid.edge(0, bin) < to; ++bin) {
                const Ticks begin = std::max(from, grid.edge(0, bin));
                const Ticks end = std::min(to, grid.edge(0, bin + 1));
                ticks += static_cast<double>(sums[bin]) *
                         static_cast<double>(std::max<Ticks>(end - begin, 0)) /
                         static_cast<double>(std::max<Ticks>(grid.width(0, bin), 1));
            }
            const double seconds = ticks / static_cast<double>(definitions.clock.ticksPerSecond);
            if (seconds > 0) waits.emplace_back(course.names()[name], seconds);
        }
    } catch (const Error&) {
        return {};
    }
    std::stable_sort(waits.begin(), waits.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return waits;
}

std::vector<std::pair<std::string, double>> waitsInPart(const timeline::Course& course,
                                                        const trace::Definitions& definitions,
                                                        const TimesInPart& part, Ticks from, Ticks to) {
    if (!part.isExact()) return {};
    std::vector<Ticks> sums(course.names().size());
    try {
        eachMark(course, MarkKind::Wait, from, to, [&](const CourseMark& mark, Ticks begin, Ticks end) {
            sums[mark.name] += part.overlap(trace::LocationId(mark.location), begin, end);
        });
    } catch (const Error&) {
        return {};
    }
    std::vector<std::pair<std::string, double>> waits;
    for (std::size_t name = 0; name < sums.size(); ++name)
        if (sums[name] > 0) waits.emplace_back(course.names()[name], definitions.seconds(sums[name]));
    std::stable_sort(waits.begin(), waits.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return waits;
}

}  // namespace holos::gui
