// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/recorded_extent.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/function_name.h"
#include "tracing/recordings/archive/events/event_translation.h"

namespace holos::archive {
namespace {

std::optional<std::uint64_t> lastEvent(const TraceProcess& process) {
    std::optional<std::uint64_t> last;
    for (const auto& location : process.locations)
        last = std::max(last, eventsOf(process, location).newest());
    return last;
}

}  // namespace

std::optional<std::uint64_t> orderlyEnd(const RecordedProcess& recorded) {
    if (recorded.seenAlive) return recorded.seenAlive;
    return recorded.status.ended != 0 ? std::optional(recorded.syncs.back().ticks) : std::nullopt;
}

RecordedExtent extentOf(const TraceProcess& process) {
    RecordedExtent extent;
    if (process.recorded == nullptr) return extent;
    const RecordedProcess& recorded = *process.recorded;
    const tracing::Status& status = recorded.status;
    if (!recorded.isWanted || recorded.stop || !recorded.switches.empty()) return extent;
    const bool wasReplaced = recorded.end.how == ProcessEnd::How::Replaced;
    if (status.ended == 0 && !recorded.seenAlive && !wasReplaced) extent.seenEnd = recorded.end.at;
    if (status.lostEvents == 0 && status.failure == 0) {
        extent.end = orderlyEnd(recorded);
        if (!extent.end && process.locations.size() > 1) extent.end = lastEvent(process);
        return extent;
    }
    extent.allStopped = status.failure != 0;
    extent.endOfUnrecorded = orderlyEnd(recorded);
    return extent;
}

namespace {

/// The functions and regions of a call path, the outermost first, each with the line of its call where that
/// is known.
class Words {
  public:
    Words(const TracePlan& plan, const SampledCode& code) : plan_(plan), code_(code) {}

    /// Up to a region, by the calls of a context.
    std::string upTo(std::uint32_t region, std::uint32_t context) const {
        std::vector<std::string> words{plan_.regions[region].name + placeOf(context)};
        for (; context != SampledContext::kNone; context = code_.contexts()[context].parent) {
            const SampledContext& call = code_.contexts()[context];
            words.push_back(nameOf(call.region) + placeOf(call.parent));
        }
        std::ranges::reverse(words);
        return joined(words);
    }

    /// Regions within each other.
    std::string of(const std::vector<std::uint32_t>& regions) const {
        std::vector<std::string> words;
        for (const std::uint32_t region : regions) words.push_back(plan_.regions[region].name);
        return joined(words);
    }

  private:
    /// Functions stand behind the regions of the trace.
    std::string nameOf(std::uint32_t region) const {
        const std::size_t own = plan_.regions.size();
        const std::string& name =
            region < own ? plan_.regions[region].name : code_.regions()[region - own].name;
        return name.size() <= ShortNames::kLong ? name : folded(name, Folding::All);
    }

    /// Of the call in a context that leads on.
    std::string placeOf(std::uint32_t context) const {
        if (context == SampledContext::kNone) return "";
        const std::uint32_t place = code_.contexts()[context].place;
        if (place == SampledContext::kNone) return "";
        const auto& [file, line] = code_.places()[place];
        const std::string name = std::filesystem::path(file).filename();
        return " @" + (line != 0 ? name + ':' + std::to_string(line) : name);
    }

    /// Of very many the outermost and the innermost.
    static std::string joined(const std::vector<std::string>& words) {
        constexpr std::size_t kOutermost = 4;
        constexpr std::size_t kInnermost = 12;
        std::string text;
        for (std::size_t i = 0; i < words.size(); ++i) {
            const bool isShown = i < kOutermost || i + kInnermost >= words.size();
            if (!isShown && i != kOutermost) continue;
            text += (text.empty() ? "" : " / ") + (isShown ? words[i] : "…");
        }
        return text;
    }

    const TracePlan& plan_;
    const SampledCode& code_;
};

std::string placeText(const std::vector<std::uint32_t>& open, const std::optional<LastRegion>& last,
                      const Words& words) {
    if (!last) return open.empty() ? "outside of all recorded regions" : "in " + words.of(open);
    const std::string path = words.upTo(last->region, last->context);
    if (open.empty()) return "after " + path;
    if (!last->isOpen || open.back() != last->region) return "in " + words.of(open) + " after " + path;
    const std::string around = words.of({open.begin(), open.end() - 1});
    return "in " + (around.empty() ? "" : around + " / ") + path;
}

}  // namespace

void StopPlaces::add(const std::string& thread, const LocationResult& done, bool goesOn) {
    places_.push_back({thread, done.open, done.lastRegion, goesOn});
}

std::vector<std::string> StopPlaces::notes(const TracePlan& plan, const SampledCode& code) const {
    constexpr std::size_t kMostNames = 4;
    const Words words(plan, code);
    std::map<std::string, std::vector<std::string>> threads;  // by what they did where
    for (const Place& place : places_)
        threads[(place.goesOn ? "went on " : "stopped ") + placeText(place.open, place.last, words)]
            .push_back(place.thread);
    std::vector<std::string> notes;
    for (const auto& [what, names] : threads) {
        std::string note;
        for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i)
            note += (note.empty() ? "" : ", ") + names[i];
        if (names.size() > kMostNames) note += " and " + std::to_string(names.size() - kMostNames) + " more";
        notes.push_back(note + ' ' + what);
    }
    return notes;
}

}  // namespace holos::archive
