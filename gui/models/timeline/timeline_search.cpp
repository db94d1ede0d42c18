// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_search.h"

#include <QRegularExpression>
#include <algorithm>
#include <map>

#include "analyzer/trace/call_events.h"
#include "analyzer/trace/excerpt.h"

namespace holos::gui {

using trace::Ticks;

namespace {

std::optional<double> secondsOf(const QString& text) {
    static const QRegularExpression form(u"^([0-9.]+(?:e[+-]?[0-9]+)?)\\s*(ns|us|µs|ms|s)$"_qs,
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text.trimmed());
    bool isNumber = false;
    const double number = match.captured(1).toDouble(&isNumber);
    if (!match.hasMatch() || !isNumber) return std::nullopt;
    static const std::map<QString, double> units{
        {u"ns"_qs, 1e-9}, {u"us"_qs, 1e-6}, {u"µs"_qs, 1e-6}, {u"ms"_qs, 1e-3}, {u"s"_qs, 1.0}};
    return number * units.at(match.captured(2).toLower());
}

std::optional<std::uint64_t> bytesOf(const QString& text) {
    static const QRegularExpression form(u"^([0-9]+)\\s*([kMG]?)B?$"_qs,
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text.trimmed());
    bool isNumber = false;
    const std::uint64_t number = match.captured(1).toULongLong(&isNumber);
    if (!match.hasMatch() || !isNumber) return std::nullopt;
    const auto power = u"kmg"_qs.indexOf(match.captured(2).toLower()) + 1;
    return match.captured(2).isEmpty() ? number : number << (10U * static_cast<unsigned>(power));
}

TimelineQuery messageQuery(const QString& text, const QString& least) {
    static const QRegularExpression form(u"^message(?:s)?(?:\\s+from\\s+(\\d+))?(?:\\s+to\\s+(\\d+))?$"_qs);
    TimelineQuery query;
    query.isMessage = true;
    const auto match = form.match(text);
    if (!match.hasMatch())
        query.problem = u"write a search for messages like this: message from 3 to 5 > 64k"_qs;
    if (!match.captured(1).isEmpty()) query.from = match.captured(1).toULongLong();
    if (!match.captured(2).isEmpty()) query.to = match.captured(2).toULongLong();
    if (least.isEmpty()) return query;
    const auto bytes = bytesOf(least);
    if (!bytes) query.problem = u"a size is written as 64k, 2M or 100"_qs;
    query.leastBytes = bytes.value_or(0);
    return query;
}

/// Looks for one call at one location.
class CallFinder final : public trace::CallEvents {
  public:
    CallFinder(const std::vector<char>& isWanted, Ticks least, Ticks after, std::optional<TimelineFind>& best,
               trace::LocationId self)
        : isWanted_(isWanted), least_(least), after_(after), best_(best), self_(self) {}

    void begin(const trace::Checkpoint& start) { calls_ = start.calls; }
    bool runs(Ticks time) override { return isOpenQuestion(time); }
    bool message(const trace::MessageEnd& end) override { return isOpenQuestion(end.time); }
    bool enter(Ticks time, trace::RegionId region) override {
        calls_.push_back({time, region});
        return isOpenQuestion(time);
    }
    bool leave(Ticks time, trace::RegionId) override {
        if (calls_.empty()) return isOpenQuestion(time);
        const trace::OpenCall call = calls_.back();
        calls_.pop_back();
        const bool isFound =
            isWanted_[call.region.index()] != 0 && call.begin > after_ && time - call.begin >= least_;
        if (isFound && (!best_ || call.begin < best_->begin))
            best_ = TimelineFind{self_, call.begin, time, std::nullopt, call.region};
        return isOpenQuestion(time);
    }

  private:
    /// Whether something may still come before the best.
    bool isOpenQuestion(Ticks time) const {
        if (!best_ || time < best_->begin) return true;
        return std::any_of(calls_.begin(), calls_.end(), [this](const trace::OpenCall& call) {
            return isWanted_[call.region.index()] != 0 && call.begin > after_ && call.begin < best_->begin;
        });
    }

    const std::vector<char>& isWanted_;
    Ticks least_, after_;
    std::optional<TimelineFind>& best_;
    trace::LocationId self_;
    std::vector<trace::OpenCall> calls_;
};

std::optional<TimelineFind> findCall(const TimelineSearch& search, const std::atomic<bool>& stopped) {
    const trace::Definitions& definitions = *search.definitions;
    const QRegularExpression wanted(search.query.region, QRegularExpression::CaseInsensitiveOption);
    std::vector<char> isWanted;
    for (const trace::Region& region : definitions.regions)
        isWanted.push_back(wanted.match(QString::fromStdString(region.name)).hasMatch() ? 1 : 0);
    if (std::count(isWanted.begin(), isWanted.end(), 1) == 0) return std::nullopt;
    const auto least =
        static_cast<Ticks>(search.query.leastSeconds * static_cast<double>(definitions.clock.ticksPerSecond));
    std::optional<TimelineFind> best;
    for (std::size_t at = 0; at < definitions.locations.size() && !stopped; ++at) {
        const trace::LocationId location(at);
        const trace::Checkpoint start =
            search.levels ? search.levels->checkpointBefore(at, search.after) : trace::Checkpoint{};
        CallFinder finder(isWanted, least, search.after, best, location);
        finder.begin(start);
        trace::readCallEvents(search.anchor, definitions, location, finder, stopped, start.event);
    }
    return stopped ? std::nullopt : best;
}

/// Functions that events do not tell of, but the calls that led to them, and samples.
std::optional<TimelineFind> findFunction(const TimelineSearch& search, const std::atomic<bool>& stopped) {
    const trace::Definitions& definitions = *search.definitions;
    const QRegularExpression wanted(search.query.region, QRegularExpression::CaseInsensitiveOption);
    trace::StackSearch onStacks{{}, 0, search.after};
    for (const trace::Region& region : definitions.regions)
        onStacks.isWanted.push_back(wanted.match(QString::fromStdString(region.name)).hasMatch() ? 1 : 0);
    if (std::count(onStacks.isWanted.begin(), onStacks.isWanted.end(), 1) == 0) return std::nullopt;
    onStacks.least =
        static_cast<Ticks>(search.query.leastSeconds * static_cast<double>(definitions.clock.ticksPerSecond));
    std::optional<TimelineFind> best;
    for (std::size_t at = 0; at < definitions.locations.size() && !stopped; ++at) {
        const trace::LocationId location(at);
        if (const auto bar = trace::findInStacks(search.anchor, definitions, location, onStacks, stopped)) {
            best = TimelineFind{location,     bar->begin,  std::max(bar->end, bar->begin + 1),
                                std::nullopt, bar->region, true};
            onStacks.before = bar->begin;
        }
    }
    return stopped ? std::nullopt : best;
}

std::optional<TimelineFind> findMessage(const TimelineSearch& search) {
    if (!search.levels) return std::nullopt;
    const trace::Definitions& definitions = *search.definitions;
    const auto isOf = [&](trace::LocationId location, const std::optional<std::size_t>& process) {
        return !process || definitions[location].process.index() == *process;
    };
    for (const trace::Message& message : search.levels->messages().messages)
        if (message.sent > search.after && message.bytes >= search.query.leastBytes &&
            isOf(message.sender, search.query.from) && isOf(message.receiver, search.query.to))
            return TimelineFind{message.receiver, message.sent, std::max(message.received, message.sent + 1),
                                message.sender, std::nullopt};
    return std::nullopt;
}

}  // namespace

TimelineQuery timelineQuery(const QString& text) {
    const auto greater = text.lastIndexOf(u'>');
    const bool hasLeast = greater > 0;
    const QString name = (hasLeast ? text.left(greater) : text).trimmed();
    const QString least = hasLeast ? text.mid(greater + 1).trimmed() : QString();
    if (name.startsWith(u"message"_qs)) return messageQuery(name, least);
    TimelineQuery query;
    query.region = name;
    const QRegularExpression expression(name);
    if (!expression.isValid()) query.problem = expression.errorString();
    const auto seconds = least.isEmpty() ? 0.0 : secondsOf(least);
    if (!seconds) query.problem = u"a duration is written as 2 ms, 10us or 1.5 s"_qs;
    query.leastSeconds = seconds.value_or(0);
    return query;
}

std::optional<TimelineFind> findInTimeline(const TimelineSearch& search, const std::atomic<bool>& stopped) {
    if (search.query.isMessage) return findMessage(search);
    const std::optional<TimelineFind> call = findCall(search, stopped);
    return call || stopped ? call : findFunction(search, stopped);
}

}  // namespace holos::gui
