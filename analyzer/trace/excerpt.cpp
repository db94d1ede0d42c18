// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/excerpt.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace holos::analyzer::trace {

namespace {

/// Follows the calls of one location and notes what a window shows.
class Excerpter final : public CallEvents {
  public:
    Excerpter(const Window& window, const Checkpoint& start, Excerpt& excerpt)
        : window_(window),
          excerpt_(excerpt),
          calls_(start.calls),
          last_(window.from),
          hasBegun_(start.event != 0) {
        excerpt_.bins.resize(std::max(1U, window.bins));
    }

    bool runs(Ticks time) override { return account(time); }

    bool enter(Ticks time, RegionId region) override {
        if (!account(time)) return false;
        calls_.push_back({time, region});
        if (time < window_.from) return true;
        ++excerpt_.events;
        excerpt_.depth = std::max(excerpt_.depth, static_cast<std::uint32_t>(calls_.size()));
        return true;
    }

    bool leave(Ticks time, RegionId) override {
        if (!account(time)) return false;
        if (time >= window_.from) ++excerpt_.events;
        if (!calls_.empty()) close(time);
        return true;
    }

    void withoutProcessor(Ticks time, Ticks passed) override {
        const Ticks begin = std::max(lastEvent_, time - passed);
        if (time < window_.from || begin > window_.to || begin >= time) return;
        if (excerpt_.shortages.size() < window_.mostSpans) excerpt_.shortages.push_back({begin, time});
    }

    bool message(const MessageEnd& end) override {
        if (!account(end.time)) return false;
        excerpt_.tooManyMessages = excerpt_.messages.size() >= window_.mostMessages;
        if (!excerpt_.tooManyMessages) excerpt_.messages.push_back(end);
        return true;
    }

    /// What is still open goes on to the window's end, if the trace does.
    void finish(bool reachedEnd) {
        if (reachedEnd) fill(window_.to);
        const Ticks end = reachedEnd ? window_.to : last_;
        while (!calls_.empty()) close(end);
        tellBin();
    }

  private:
    /// False behind the window.
    bool account(Ticks time) {
        if (time > window_.to) return false;
        fill(time);
        hasBegun_ = true;
        lastEvent_ = time;
        return true;
    }

    /// The time since the last event belongs to the innermost region, or to the program outside of all.
    void fill(Ticks time) {
        const auto bins = static_cast<Ticks>(excerpt_.bins.size());
        while (last_ < time) {
            const Ticks end = endOfBin(bin_);
            const bool isLast = bin_ + 1 >= bins;
            const Ticks until = isLast ? time : std::min(time, std::max(end, last_));
            if (hasBegun_)
                add(calls_.empty() ? std::nullopt : std::optional(calls_.back().region), until - last_);
            last_ = until;
            if (isLast || until < end) continue;
            tellBin();
            ++bin_;
        }
    }

    Ticks endOfBin(Ticks bin) const {
        return window_.from +
               static_cast<Ticks>(static_cast<double>(window_.to - window_.from) *
                                  static_cast<double>(bin + 1) / static_cast<double>(excerpt_.bins.size()));
    }

    void add(std::optional<RegionId> region, Ticks spent) {
        const auto known =
            std::ranges::find_if(inBin_, [region](const auto& entry) { return entry.first == region; });
        if (known == inBin_.end())
            inBin_.emplace_back(region, spent);
        else
            known->second += spent;
    }

    void tellBin() {
        const auto most = std::ranges::max_element(
            inBin_, [](const auto& a, const auto& b) { return a.second < b.second; });
        const Ticks length = std::max<Ticks>(endOfBin(bin_) - endOfBin(bin_ - 1), 1);
        if (most != inBin_.end())
            excerpt_.bins[static_cast<std::size_t>(bin_)] = {
                most->first, static_cast<double>(most->second) / static_cast<double>(length)};
        inBin_.clear();
    }

    void close(Ticks time) {
        const auto [begin, region] = calls_.back();
        calls_.pop_back();
        if (time < window_.from || excerpt_.tooManySpans) return;
        excerpt_.depth = std::max(excerpt_.depth, static_cast<std::uint32_t>(calls_.size() + 1));
        if (excerpt_.spans.size() >= window_.mostSpans) {
            excerpt_.tooManySpans = true;
            excerpt_.spans = {};
            return;
        }
        excerpt_.spans.push_back({begin, time, region, static_cast<std::uint32_t>(calls_.size())});
    }

    const Window& window_;
    Excerpt& excerpt_;
    std::vector<OpenCall> calls_;
    Ticks last_;  ///< until when the bins know
    Ticks lastEvent_ = 0;
    Ticks bin_ = 0;
    std::vector<std::pair<std::optional<RegionId>, Ticks>> inBin_;
    bool hasBegun_;
};

}  // namespace

Excerpt readExcerpt(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
                    const Window& window, const std::atomic<bool>& stopped, const Checkpoint& start) {
    Excerpt excerpt;
    Excerpter excerpter(window, start, excerpt);
    const CallReading reading =
        readCallEvents(anchor, definitions, location, excerpter, stopped, start.event);
    const bool wasOpened = reading.outcome.events != 0 || !reading.outcome.problem;
    if (wasOpened) excerpter.finish(reading.hadEnough);
    excerpt.problem = reading.outcome.problem;
    return excerpt;
}

std::vector<Message> pairMessages(const Definitions& definitions,
                                  const std::vector<LocationMessages>& locations, Ticks from) {
    /// Sender, receiver, communicator, tag.
    using Channel = std::tuple<ProcessId, ProcessId, std::uint32_t, std::uint32_t>;
    using End = std::pair<const MessageEnd*, LocationId>;
    std::map<Channel, std::pair<std::vector<End>, std::vector<End>>> channels;
    for (const auto& [location, told] : locations) {
        const ProcessId own = definitions[location].process;
        for (const MessageEnd& end : told) {
            auto& [sends, receives] = channels[end.sends ? Channel(own, end.peer, end.comm, end.tag)
                                                         : Channel(end.peer, own, end.comm, end.tag)];
            (end.sends ? sends : receives).emplace_back(&end, location);
        }
    }
    const auto byTime = [](const End& a, const End& b) { return a.first->time < b.first->time; };
    std::vector<Message> messages;
    for (auto& [channel, ends] : channels) {
        auto& [sends, receives] = ends;
        // Several threads of a process may take part.
        std::ranges::stable_sort(sends, byTime);
        std::ranges::stable_sort(receives, byTime);
        for (std::size_t at = 0; at < std::min(sends.size(), receives.size()); ++at) {
            const auto& [send, sender] = sends[at];
            const auto& [receive, receiver] = receives[at];
            if (std::max(send->time, receive->time) >= from)
                messages.push_back({sender, receiver, send->time, receive->time, send->bytes});
        }
    }
    return messages;
}

}  // namespace holos::analyzer::trace
