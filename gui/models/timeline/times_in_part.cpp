// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/times_in_part.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "analyzer/trace/anchor.h"
#include "analyzer/trace/excerpt.h"

namespace holos::gui {

namespace timeline = analyzer::timeline;
using timeline::ActivityTimes;
using trace::Ticks;

namespace {

constexpr std::size_t kMostBins = 1U << 20U;  ///< of all threads
constexpr std::size_t kFewestBins = 64;
constexpr std::size_t kMostBinsOfOne = 2048;

Ticks& ticksOf(ActivityTimes& times, Activity activity) {
    return times[static_cast<std::size_t>(activity)];
}

}  // namespace

namespace {

/// Where the first thread of a process had others work for it.
class Forks {
  public:
    void add(Ticks begin, trace::RegionId region, CallsInPart::State state) {
        forks_.push_back({begin, region, state});
    }
    /// Of a parallel region that another thread entered at about this time, which may be before the first one
    /// did; nothing where none is known.
    std::optional<CallsInPart::State> of(Ticks time, trace::RegionId region) const {
        const auto isIt = [region](const Fork& fork) { return fork.region == region; };
        const auto behind = std::ranges::upper_bound(forks_, time, {}, &Fork::begin);
        const auto after = std::find_if(behind, forks_.end(), isIt);
        const auto before = std::find_if(std::make_reverse_iterator(behind), forks_.rend(), isIt);
        if (before == forks_.rend())
            return after == forks_.end() ? std::nullopt : std::optional(after->state);
        const bool isAfter = after != forks_.end() && after->begin - time < time - before->begin;
        return isAfter ? after->state : before->state;
    }

  private:
    struct Fork {
        Ticks begin;
        trace::RegionId region;
        CallsInPart::State state;
    };
    std::vector<Fork> forks_;  ///< in their order
};

}  // namespace

/// Adds up one location.
class TimesInPart::Follower final : public trace::StackListener {
  public:
    /// `forks`: of the process; the first thread adds them.
    Follower(const Question& question, const std::vector<Activity>& activities,
             const timeline::TimeGrid& grid, bool isFirstThread, Forks& forks, std::size_t mostPieces)
        : definitions_(*question.definitions),
          calls_(question.calls),
          activities_(activities),
          grid_(grid),
          isFirstThread_(isFirstThread),
          forks_(forks),
          mostPieces_(mostPieces) {}

    void passed(std::span<const trace::StackedCall> stack, std::size_t kept, Ticks from, Ticks to) override {
        states_.resize(kept + 1, CallsInPart::kOutside);
        bool hasFunctions = std::ranges::any_of(stack.first(kept), isFunction);
        for (const trace::StackedCall& call : stack.subspan(kept)) {
            hasFunctions = hasFunctions || isFunction(call);
            states_.push_back(stateIn(call, hasFunctions));
        }
        // Outside of all calls only the thread that began the program does its work.
        const bool isOutside = states_.back() == CallsInPart::kOutside;
        if (calls_.counts(states_.back()) && (isFirstThread_ || !isOutside)) add(from, to, activityOf(stack));
    }
    Location take() { return std::move(found_); }

  private:
    static bool isFunction(const trace::StackedCall& call) { return !call.isRegion(); }

    /// What other threads do for the first one is in the call that it was in then.
    CallsInPart::State stateIn(const trace::StackedCall& call, bool hasFunctions) {
        using enum CallsInPart::Stacked;
        const bool isOutermost = states_.size() == 1;
        if (!isFirstThread_ && isOutermost && call.isRegion())
            if (const auto state = forks_.of(call.begin, call.region)) return *state;
        const CallsInPart::State state = calls_.within(states_.back(), call.region,
                                                       isFunction(call) ? Function
                                                       : hasFunctions   ? Call
                                                                        : LoneCall);
        if (isFirstThread_ && call.isRegion() && definitions_[call.region].role == trace::Role::Parallel)
            forks_.add(call.begin, call.region, state);
        return state;
    }
    Activity activityOf(std::span<const trace::StackedCall> stack) const {
        for (auto call = stack.rbegin(); call != stack.rend(); ++call)
            if (call->isRegion()) return activities_[call->region.index()];
        return stack.empty() ? Activity::Nothing : Activity::User;
    }

    void add(Ticks begin, Ticks end, Activity activity) {
        if (!found_.sums.empty()) return addToSums({begin, end, activity});
        std::vector<Piece>& pieces = found_.pieces;
        if (!pieces.empty() && pieces.back().end == begin && pieces.back().activity == activity)
            pieces.back().end = end;
        else
            pieces.push_back({begin, end, activity});
        if (pieces.size() <= mostPieces_) return;
        found_.sums.resize(grid_.bins(0));
        for (const Piece& piece : std::exchange(pieces, {})) addToSums(piece);
    }

    void addToSums(const Piece& piece) {
        const Ticks end = std::min(piece.end, grid_.length());
        for (std::size_t bin = grid_.binAt(0, piece.begin); bin < grid_.bins(0) && grid_.edge(0, bin) < end;
             ++bin)
            ticksOf(found_.sums[bin], piece.activity) += std::max<Ticks>(
                0, std::min(end, grid_.edge(0, bin + 1)) - std::max(piece.begin, grid_.edge(0, bin)));
    }

    const trace::Definitions& definitions_;
    const CallsInPart& calls_;
    const std::vector<Activity>& activities_;
    const timeline::TimeGrid& grid_;
    bool isFirstThread_;
    Forks& forks_;
    std::size_t mostPieces_;
    std::vector<CallsInPart::State> states_;  ///< of the stack, from the outside of all calls on
    Location found_;
};

namespace {

/// Of the threads that are shown.
std::set<trace::ProcessId> processesOf(const TimesInPart::Question& question) {
    std::set<trace::ProcessId> processes;
    const auto& locations = question.definitions->locations;
    for (std::size_t at = 0; at < locations.size(); ++at)
        if (question.shown.empty() || question.shown[at]) processes.insert(locations[at].process);
    return processes;
}

}  // namespace

std::shared_ptr<const TimesInPart> TimesInPart::read(const Question& question,
                                                     const std::atomic<bool>& stopped,
                                                     const std::function<void(double)>& progress) {
    const trace::Definitions& definitions = *question.definitions;
    const std::size_t locations = definitions.locations.size();
    const std::size_t bins = std::bit_floor(
        std::clamp(kMostBins / std::max<std::size_t>(locations, 1), kFewestBins, kMostBinsOfOne));
    const auto made = std::make_shared<TimesInPart>();
    made->grid_ = {static_cast<Ticks>(definitions.clock.length), static_cast<unsigned>(std::bit_width(bins))};
    made->locations_.resize(locations);
    const std::vector<Activity> activities = timeline::activitiesOf(definitions);
    std::size_t most = question.mostPieces, done = 0;
    std::map<trace::ProcessId, Forks> forks;
    const auto readOne = [&](trace::LocationId location, bool isShown) {
        const trace::Location& one = definitions[location];
        Follower follower(question, activities, made->grid_, one.rank == 0, forks[one.process],
                          isShown ? most : 0);
        trace::followStacks(question.anchor, definitions, location, follower, stopped);
        if (progress) progress(static_cast<double>(++done) / static_cast<double>(locations));
        if (!isShown) return;
        made->locations_[location.index()] = follower.take();
        most -= made->locations_[location.index()].pieces.size();
        made->isExact_ = made->isExact_ && made->locations_[location.index()].sums.empty();
    };
    // First threads come first: who works for them has to know where they were.
    const std::set<trace::ProcessId> wanted = processesOf(question);
    for (const bool isFirst : {true, false})
        for (std::size_t at = 0; at < locations && !stopped; ++at) {
            const trace::LocationId location(at);
            const bool isShown = question.shown.empty() || question.shown[at];
            const trace::Location& one = definitions[location];
            if ((one.rank == 0) == isFirst && (isShown || (isFirst && wanted.contains(one.process))))
                readOne(location, isShown);
        }
    if (stopped) return nullptr;
    return made;
}

std::vector<TimesInPart::Times> TimesInPart::times(const std::vector<LocationRange>& locations, Ticks from,
                                                   Ticks to, std::size_t parts) const {
    std::vector<Times> sums(parts);
    const auto addPieces = [&](const std::vector<Piece>& pieces) {
        auto piece = std::ranges::upper_bound(pieces, from, {}, &Piece::end);
        for (; piece != pieces.end() && piece->begin < to; ++piece)
            spreadOver(from, to, parts, piece->begin, piece->end, [&](std::size_t part, double ticks) {
                sums[part][static_cast<std::size_t>(piece->activity)] += ticks;
            });
    };
    const auto addBin = [&](const ActivityTimes& bin, Ticks begin, Ticks end) {
        spreadOver(from, to, parts, begin, end, [&](std::size_t part, double ticks) {
            for (std::size_t activity = 0; activity < bin.size(); ++activity)
                sums[part][activity] +=
                    static_cast<double>(bin[activity]) * ticks / static_cast<double>(end - begin);
        });
    };
    for (const LocationRange& range : locations)
        for (std::size_t at = range.from; at < range.to; ++at) {
            addPieces(locations_[at].pieces);
            for (std::size_t bin = 0; bin < locations_[at].sums.size(); ++bin)
                addBin(locations_[at].sums[bin], grid_.edge(0, bin), grid_.edge(0, bin + 1));
        }
    return sums;
}

trace::Stretches TimesInPart::stretches(trace::LocationId location) const {
    return within(location, std::numeric_limits<Ticks>::min(), std::numeric_limits<Ticks>::max());
}

trace::Stretches TimesInPart::within(trace::LocationId location, Ticks begin, Ticks end) const {
    const std::vector<Piece>& all = pieces(location);
    trace::Stretches found;
    auto piece = std::ranges::upper_bound(all, begin, {}, &Piece::end);
    for (; piece != all.end() && piece->begin < end; ++piece) {
        const std::pair stretch(std::max(begin, piece->begin), std::min(end, piece->end));
        if (!found.empty() && found.back().second == stretch.first)
            found.back().second = stretch.second;
        else
            found.push_back(stretch);
    }
    return found;
}

Ticks TimesInPart::overlap(trace::LocationId location, Ticks begin, Ticks end) const {
    Ticks ticks = 0;
    for (const auto& [from, to] : within(location, begin, end)) ticks += to - from;
    return ticks;
}

TimesInPartReader::TimesInPartReader(QString archive, TimesInPart::Question question, QObject* parent)
    : QObject(parent), archive_(std::move(archive)), question_(std::move(question)) {
    pool_.setMaxThreadCount(1);
}

TimesInPartReader::~TimesInPartReader() {
    stopped_ = true;
    pool_.waitForDone();
}

void TimesInPartReader::start() {
    busy_ = true;
    pool_.start([this] {
        TimesInPartPtr times;
        QString problem;
        try {
            question_.anchor = trace::findAnchor(archive_.toStdString());
            times = TimesInPart::read(question_, stopped_, [this](double part) {
                QMetaObject::invokeMethod(this, [this, part] { Q_EMIT progress(part); });
            });
        } catch (const std::exception& error) {
            problem = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, times, problem] {
            busy_ = false;
            times_ = times;
            Q_EMIT ready(problem);
        });
    });
}

}  // namespace holos::gui
