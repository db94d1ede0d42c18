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

namespace {

constexpr Ticks kUsualGaps = 3;  ///< of samples: a longer time without any belongs to none

/// Follows what is on the stack of one location.
class StackFollower : public CallEvents {
  public:
    explicit StackFollower(const Definitions& definitions) : definitions_(definitions) {}

    bool wantsStacks() const override { return true; }
    bool runs(Ticks time) override {
        pass(time);
        last_ = time;
        return wantsMore(time);
    }
    bool message(const MessageEnd&) override { return true; }

    bool enter(Ticks time, RegionId region) override { return enterFrom(time, region, kNoContext); }

    bool enterFrom(Ticks time, RegionId region, ContextId from) override {
        if (from != kNoContext) see(framesOf(definitions_[from].frame), time, time);
        pass(time);
        stack_.push_back({time, region, from == kNoContext ? kNoSite : definitions_[from].site, kNoFrame});
        last_ = time;
        return wantsMore(time);
    }

    bool leave(Ticks time, RegionId) override {
        const auto region =
            std::find_if(stack_.rbegin(), stack_.rend(), [](const Entry& entry) { return entry.isRegion(); });
        if (region == stack_.rend()) return wantsMore(time);
        const auto place = static_cast<std::size_t>(stack_.rend() - region) - 1;
        closeTo(place + 1, last_);
        pass(time);
        closeTo(place, time);
        last_ = time;
        return wantsMore(time);
    }

    bool sample(Ticks time, ContextId at) override {
        const Ticks gap = time - lastSample_;
        if (lastSample_ >= 0) usual_ = usual_ == 0 ? gap : (7 * usual_ + gap) / 8;
        const bool isLong = usual_ != 0 && time - last_ > kUsualGaps * usual_;
        see(framesOf(definitions_[at].frame), isLong ? time : last_, time);
        pass(time);
        lastSample_ = last_ = time;
        sampled(time);
        return wantsMore(time);
    }

  protected:
    using Entry = StackedCall;

    /// Nothing more is on the stack, which was until `end`.
    void closeAll(Ticks end) { closeTo(0, end); }
    Ticks last() const { return last_; }
    const std::vector<Entry>& stack() const { return stack_; }

  private:
    /// Something is not on the stack any more.
    virtual void closed(const StackBar& bar) = 0;
    virtual void sampled(Ticks /*time*/) {}
    /// What is on the stack now was there in between, but for what begins later.
    virtual void passed(Ticks /*from*/, Ticks /*to*/) {}
    virtual bool wantsMore(Ticks time) = 0;

    void pass(Ticks time) {
        if (hasBegun_ && time > last_) passed(last_, time);
        hasBegun_ = true;
    }

    /// From the outermost to this one.
    const std::vector<FrameId>& framesOf(FrameId frame) {
        frames_.clear();
        for (FrameId at = frame; at != kNoFrame; at = definitions_.frames[at].caller) frames_.push_back(at);
        std::reverse(frames_.begin(), frames_.end());
        return frames_;
    }

    /// These functions are on the stack. Those that are not any more were last seen at the event before; new
    /// ones are there since `since`.
    void see(const std::vector<FrameId>& frames, Ticks since, Ticks time) {
        std::size_t known = 0;
        std::size_t keep = 0;  ///< entries of the stack
        for (std::size_t at = 0; at < stack_.size(); ++at) {
            if (stack_[at].isRegion()) {
                keep = at + 1;  // it is still open, and so is what called it
                continue;
            }
            if (known == frames.size() || stack_[at].frame != frames[known]) break;
            ++known;
            keep = at + 1;
        }
        const auto isOpen = [this](std::size_t at) { return at < stack_.size() && stack_[at].isRegion(); };
        for (std::size_t at = keep; at < stack_.size(); ++at)
            if (isOpen(at)) return;  // they contradict each other: what events say holds
        closeTo(keep, last_);
        for (; known < frames.size(); ++known) {
            const StackFrame& frame = definitions_.frames[frames[known]];
            stack_.push_back({std::min(since, time), frame.function, frame.site, frames[known]});
        }
    }

    void closeTo(std::size_t size, Ticks end) {
        for (; stack_.size() > size; stack_.pop_back()) {
            const Entry& entry = stack_.back();
            closed({entry.begin, std::max(end, entry.begin), entry.region,
                    static_cast<std::uint32_t>(stack_.size() - 1), entry.site, entry.isRegion()});
        }
    }

    const Definitions& definitions_;
    std::vector<Entry> stack_;
    std::vector<FrameId> frames_;
    bool hasBegun_ = false;
    Ticks last_ = 0;         ///< when something was seen
    Ticks lastSample_ = -1;  ///< negative: none yet
    Ticks usual_ = 0;        ///< between samples
};

/// What is on it in a window.
class StackExcerpter final : public StackFollower {
  public:
    StackExcerpter(const Definitions& definitions, const Window& window, StackExcerpt& excerpt)
        : StackFollower(definitions),
          window_(window),
          shortest_((window.to - window.from) / (2 * static_cast<Ticks>(std::max(1U, window.bins)))),
          excerpt_(excerpt) {}

    /// What is still there goes on to the window's end, if the trace does.
    void finish(bool reachedEnd) { closeAll(reachedEnd ? std::max(last(), window_.to) : last()); }

  private:
    bool wantsMore(Ticks time) override { return time <= window_.to; }
    void sampled(Ticks time) override {
        if (time >= window_.from && time <= window_.to) ++excerpt_.samples;
    }
    void closed(const StackBar& bar) override {
        if (bar.end < window_.from || bar.begin > window_.to) return;
        excerpt_.depth = std::max(excerpt_.depth, bar.depth + 1);
        const bool areMany = window_.mostSpans != 0 && excerpt_.bars.size() >= window_.mostSpans / 2;
        if (areMany && bar.end - bar.begin < shortest_) return;
        if (window_.mostSpans != 0 && excerpt_.bars.size() >= 4 * window_.mostSpans) return;
        excerpt_.bars.push_back(bar);
    }

    const Window& window_;
    Ticks shortest_;
    StackExcerpt& excerpt_;
};

/// What is on it all the time.
class StackTeller final : public StackFollower {
  public:
    StackTeller(const Definitions& definitions, StackListener& listener)
        : StackFollower(definitions), listener_(listener) {}

  private:
    bool wantsMore(Ticks) override { return true; }
    void closed(const StackBar& bar) override { kept_ = std::min<std::size_t>(kept_, bar.depth); }
    void passed(Ticks from, Ticks to) override {
        std::size_t size = stack().size();
        while (size > 0 && stack()[size - 1].begin > from) --size;
        kept_ = std::min(kept_, size);
        listener_.passed(std::span(stack()).first(size), kept_, from, to);
        kept_ = size;
    }

    StackListener& listener_;
    std::size_t kept_ = 0;
};

/// The first bar that is wanted.
class StackFinder final : public StackFollower {
  public:
    StackFinder(const Definitions& definitions, const StackSearch& search)
        : StackFollower(definitions), search_(search) {}

    void finish() { closeAll(last()); }
    const std::optional<StackBar>& found() const { return found_; }

  private:
    bool mayBe(RegionId region, Ticks begin) const {
        return search_.isWanted[region.index()] != 0 && begin > search_.after &&
               begin < (found_ ? found_->begin : search_.before);
    }
    /// Something that is open may be the first one, or something that comes.
    bool wantsMore(Ticks time) override {
        if (time < (found_ ? found_->begin : search_.before)) return true;
        return std::ranges::any_of(stack(),
                                   [this](const Entry& entry) { return mayBe(entry.region, entry.begin); });
    }
    void closed(const StackBar& bar) override {
        if (mayBe(bar.region, bar.begin) && bar.end - bar.begin >= search_.least) found_ = bar;
    }

    const StackSearch& search_;
    std::optional<StackBar> found_;
};

}  // namespace

StackExcerpt readStacks(const std::filesystem::path& anchor, const Definitions& definitions,
                        LocationId location, const Window& window, const std::atomic<bool>& stopped) {
    StackExcerpt excerpt;
    StackExcerpter follower(definitions, window, excerpt);
    const CallReading reading = readCallEvents(anchor, definitions, location, follower, stopped);
    follower.finish(reading.hadEnough);
    excerpt.problem = reading.outcome.problem;
    return excerpt;
}

std::optional<std::string> followStacks(const std::filesystem::path& anchor, const Definitions& definitions,
                                        LocationId location, StackListener& listener,
                                        const std::atomic<bool>& stopped) {
    StackTeller teller(definitions, listener);
    return readCallEvents(anchor, definitions, location, teller, stopped).outcome.problem;
}

std::optional<StackBar> findInStacks(const std::filesystem::path& anchor, const Definitions& definitions,
                                     LocationId location, const StackSearch& search,
                                     const std::atomic<bool>& stopped) {
    StackFinder finder(definitions, search);
    readCallEvents(anchor, definitions, location, finder, stopped);
    finder.finish();
    return finder.found();
}

}  // namespace holos::analyzer::trace
