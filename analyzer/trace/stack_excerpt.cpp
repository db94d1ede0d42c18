// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/stack_excerpt.h"

#include <algorithm>

namespace holos::analyzer::trace {

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
