// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/excerpt.h"

#include <algorithm>
#include <exception>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/trace/event_file.h"
#include "analyzer/trace/peers.h"

namespace holos::analyzer::trace {

namespace {

/// Thrown through nobody's hands but ours: the rest of the location does not matter.
struct Enough {};

/// Follows the calls of one location and notes what a window shows.
class Excerpter {
  public:
    Excerpter(const Window& window, Excerpt& excerpt)
        : window_(window), excerpt_(excerpt), last_(window.from) {
        excerpt_.bins.resize(std::max(1U, window.bins));
    }

    /// The start or the end of the program or the thread: between them it may be outside of all regions.
    void runs(Ticks time) { account(time); }

    void enter(Ticks time, RegionId region) {
        account(time);
        calls_.emplace_back(time, region);
        if (time < window_.from) return;
        ++excerpt_.events;
        excerpt_.depth = std::max(excerpt_.depth, static_cast<std::uint32_t>(calls_.size()));
    }

    void leave(Ticks time) {
        account(time);
        if (time >= window_.from) ++excerpt_.events;
        if (!calls_.empty()) close(time);
    }

    void message(const MessageEnd& end) {
        account(end.time);
        excerpt_.tooManyMessages = excerpt_.messages.size() >= window_.mostMessages;
        if (!excerpt_.tooManyMessages) excerpt_.messages.push_back(end);
    }

    /// What is still open goes on to the window's end, if the trace does.
    void finish(bool reachedEnd) {
        if (reachedEnd) fill(window_.to);
        const Ticks end = reachedEnd ? window_.to : last_;
        while (!calls_.empty()) close(end);
        tellBin();
    }

  private:
    void account(Ticks time) {
        if (time > window_.to) throw Enough{};
        fill(time);
        hasBegun_ = true;
    }

    /// The time since the last event belongs to the innermost region, or to the program outside of all.
    void fill(Ticks time) {
        const auto bins = static_cast<Ticks>(excerpt_.bins.size());
        while (last_ < time) {
            const Ticks end = endOfBin(bin_);
            const bool isLast = bin_ + 1 >= bins;
            const Ticks until = isLast ? time : std::min(time, std::max(end, last_));
            if (hasBegun_)
                add(calls_.empty() ? std::nullopt : std::optional(calls_.back().second), until - last_);
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
        const auto known = std::find_if(inBin_.begin(), inBin_.end(),
                                        [region](const auto& entry) { return entry.first == region; });
        if (known == inBin_.end())
            inBin_.emplace_back(region, spent);
        else
            known->second += spent;
    }

    void tellBin() {
        const auto most = std::max_element(inBin_.begin(), inBin_.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
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
    std::vector<std::pair<Ticks, RegionId>> calls_;
    Ticks last_;  ///< until when the bins know
    Ticks bin_ = 0;
    std::vector<std::pair<std::optional<RegionId>, Ticks>> inBin_;
    bool hasBegun_ = false;
};

/// From OTF2's callbacks to the excerpter. Exceptions must not travel through OTF2.
class ExcerptReading {
  public:
    ExcerptReading(const Definitions& definitions, LocationId location, Excerpter& target,
                   const std::atomic<bool>& stopped)
        : definitions_(definitions), location_(location), target_(target), stopped_(stopped) {}

    void registerAt(EventFile& file) {
        const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> callbacks(
            OTF2_EvtReaderCallbacks_New(), &OTF2_EvtReaderCallbacks_Delete);
        setEnds(callbacks.get());
        setCalls(callbacks.get());
        setMessages(callbacks.get());
        OTF2_Reader_RegisterEvtCallbacks(file.reader(), file.events(), callbacks.get(), this);
    }

    bool hadEnough() const { return enough_; }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    static void setEnds(OTF2_EvtReaderCallbacks* c) {
        const auto runs = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                             OTF2_AttributeList*, auto...) {
            return guarded(user, [&](ExcerptReading& self) { self.target_.runs(self.ticks(time)); });
        };
        OTF2_EvtReaderCallbacks_SetProgramBeginCallback(c, runs);
        OTF2_EvtReaderCallbacks_SetProgramEndCallback(c, runs);
        OTF2_EvtReaderCallbacks_SetThreadBeginCallback(c, runs);
        OTF2_EvtReaderCallbacks_SetThreadEndCallback(c, runs);
    }

    static void setCalls(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetEnterCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*,
                  OTF2_RegionRef region) {
                return guarded(user, [&](ExcerptReading& self) {
                    self.target_.enter(self.ticks(time),
                                       self.definitions_.regionOf.findOr(region, kUndefinedRegion));
                });
            });
        OTF2_EvtReaderCallbacks_SetLeaveCallback(c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                                       void* user, OTF2_AttributeList*, OTF2_RegionRef) {
            return guarded(user, [&](ExcerptReading& self) { self.target_.leave(self.ticks(time)); });
        });
        OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*,
                  OTF2_CallingContextRef context, std::uint32_t) {
                return guarded(user, [&](ExcerptReading& self) {
                    self.target_.enter(self.ticks(time), self.definitions_.regionOfCallingContext(context));
                });
            });
        OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*,
                  OTF2_CallingContextRef) {
                return guarded(user, [&](ExcerptReading& self) { self.target_.leave(self.ticks(time)); });
            });
    }

    static void setMessages(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetMpiSendCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*,
                  std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
                return guarded(
                    user, [&](ExcerptReading& self) { self.message(time, peer, comm, tag, bytes, true); });
            });
        OTF2_EvtReaderCallbacks_SetMpiIsendCallback(
            c,
            [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*,
               std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes, std::uint64_t) {
                return guarded(
                    user, [&](ExcerptReading& self) { self.message(time, peer, comm, tag, bytes, true); });
            });
        OTF2_EvtReaderCallbacks_SetMpiRecvCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*,
                  std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
                return guarded(
                    user, [&](ExcerptReading& self) { self.message(time, peer, comm, tag, bytes, false); });
            });
        OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(
            c,
            [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*,
               std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes, std::uint64_t) {
                return guarded(
                    user, [&](ExcerptReading& self) { self.message(time, peer, comm, tag, bytes, false); });
            });
    }

    template <class Work>
    static OTF2_CallbackCode guarded(void* user, Work&& work) {
        auto& self = *static_cast<ExcerptReading*>(user);
        try {
            if (self.stopped_.load(std::memory_order_relaxed)) throw Enough{};
            work(self);
            return OTF2_CALLBACK_SUCCESS;
        } catch (const Enough&) {
            self.enough_ = true;
        } catch (...) {
            self.failure_ = std::current_exception();
        }
        return OTF2_CALLBACK_INTERRUPT;
    }

    Ticks ticks(OTF2_TimeStamp time) const {
        return static_cast<Ticks>(time - definitions_.clock.globalOffset);
    }

    void message(OTF2_TimeStamp time, std::uint32_t rank, OTF2_CommRef comm, std::uint32_t tag,
                 std::uint64_t bytes, bool sends) {
        const auto known = definitions_.commOf.find(comm);
        if (!known) return;
        const auto position = static_cast<std::uint32_t>(known->index());
        if (const auto peer = peerProcess(definitions_, position, location_, rank))
            target_.message({ticks(time), *peer, position, tag, bytes, sends});
    }

    const Definitions& definitions_;
    LocationId location_;
    Excerpter& target_;
    const std::atomic<bool>& stopped_;
    bool enough_ = false;
    std::exception_ptr failure_;
};

}  // namespace

Excerpt readExcerpt(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
                    const Window& window, const std::atomic<bool>& stopped) {
    Excerpt excerpt;
    Excerpter excerpter(window, excerpt);
    EventFile file(anchor, definitions, location);
    if (file.events() == nullptr) {
        excerpt.problem = file.outcome().problem;
        return excerpt;
    }
    ExcerptReading reading(definitions, location, excerpter, stopped);
    reading.registerAt(file);
    file.deliver({});
    reading.rethrow();
    excerpter.finish(reading.hadEnough());
    excerpt.problem = reading.hadEnough() ? file.outcome().problem : file.completeOutcome().problem;
    return excerpt;
}

std::vector<Message> pairMessages(const Definitions& definitions,
                                  const std::vector<LocationExcerpt>& excerpts, Ticks from) {
    /// Sender, receiver, communicator, tag.
    using Channel = std::tuple<ProcessId, ProcessId, std::uint32_t, std::uint32_t>;
    using End = std::pair<const MessageEnd*, LocationId>;
    std::map<Channel, std::pair<std::vector<End>, std::vector<End>>> channels;
    for (const auto& [location, excerpt] : excerpts) {
        const ProcessId own = definitions[location].process;
        for (const MessageEnd& end : excerpt.messages) {
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
        std::stable_sort(sends.begin(), sends.end(), byTime);
        std::stable_sort(receives.begin(), receives.end(), byTime);
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
