// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/call_events.h"

#include <exception>
#include <memory>

#include "analyzer/trace/peers.h"

namespace holos::analyzer::trace {

namespace {

/// From OTF2's callbacks to the target. Exceptions must not travel through OTF2.
class CallDelivery {
  public:
    CallDelivery(const Definitions& definitions, LocationId location, CallEvents& target,
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
        const auto runs = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                             OTF2_AttributeList*, auto...) {
            return guarded(event, user,
                           [&](CallDelivery& self) { return self.target_.runs(self.ticks(time)); });
        };
        OTF2_EvtReaderCallbacks_SetProgramBeginCallback(c, runs);
        OTF2_EvtReaderCallbacks_SetProgramEndCallback(c, runs);
        OTF2_EvtReaderCallbacks_SetThreadBeginCallback(c, runs);
        OTF2_EvtReaderCallbacks_SetThreadEndCallback(c, runs);
    }

    static void setCalls(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetEnterCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RegionRef region) {
                return guarded(event, user, [&](CallDelivery& self) {
                    return self.target_.enter(self.ticks(time),
                                              self.definitions_.regionOf.findOr(region, kUndefinedRegion));
                });
            });
        OTF2_EvtReaderCallbacks_SetLeaveCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RegionRef region) {
                return guarded(event, user, [&](CallDelivery& self) {
                    return self.target_.leave(self.ticks(time),
                                              self.definitions_.regionOf.findOr(region, kUndefinedRegion));
                });
            });
        OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CallingContextRef context, std::uint32_t) {
                return guarded(event, user, [&](CallDelivery& self) {
                    return self.target_.enter(self.ticks(time),
                                              self.definitions_.regionOfCallingContext(context));
                });
            });
        OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CallingContextRef context) {
                return guarded(event, user, [&](CallDelivery& self) {
                    return self.target_.leave(self.ticks(time),
                                              self.definitions_.regionOfCallingContext(context));
                });
            });
    }

    template <bool isSend>
    static OTF2_CallbackCode onMessage(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                       OTF2_AttributeList*, std::uint32_t peer, OTF2_CommRef comm,
                                       std::uint32_t tag, std::uint64_t bytes) {
        return guarded(event, user, [&](CallDelivery& self) {
            return self.message(time, peer, comm, tag, bytes, isSend);
        });
    }
    template <bool isSend>
    static OTF2_CallbackCode onRequest(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event,
                                       void* user, OTF2_AttributeList* attributes, std::uint32_t peer,
                                       OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                                       std::uint64_t) {
        return onMessage<isSend>(location, time, event, user, attributes, peer, comm, tag, bytes);
    }

    static void setMessages(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, &CallDelivery::onMessage<true>);
        OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, &CallDelivery::onRequest<true>);
        OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, &CallDelivery::onMessage<false>);
        OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, &CallDelivery::onRequest<false>);
    }

    template <class Work>
    static OTF2_CallbackCode guarded(std::uint64_t event, void* user, Work&& work) {
        auto& self = *static_cast<CallDelivery*>(user);
        self.target_.setEvents(event);
        try {
            if (!self.stopped_.load(std::memory_order_relaxed) && work(self)) return OTF2_CALLBACK_SUCCESS;
            self.enough_ = true;
        } catch (...) {
            self.failure_ = std::current_exception();
        }
        return OTF2_CALLBACK_INTERRUPT;
    }

    Ticks ticks(OTF2_TimeStamp time) const {
        return static_cast<Ticks>(time - definitions_.clock.globalOffset);
    }

    bool message(OTF2_TimeStamp time, std::uint32_t rank, OTF2_CommRef comm, std::uint32_t tag,
                 std::uint64_t bytes, bool sends) {
        const auto known = definitions_.commOf.find(comm);
        if (!known) return true;
        const auto position = static_cast<std::uint32_t>(known->index());
        const auto peer = peerProcess(definitions_, position, location_, rank);
        return !peer || target_.message({ticks(time), *peer, position, tag, bytes, sends});
    }

    const Definitions& definitions_;
    LocationId location_;
    CallEvents& target_;
    const std::atomic<bool>& stopped_;
    bool enough_ = false;
    std::exception_ptr failure_;
};

}  // namespace

CallReading readCallEvents(const std::filesystem::path& anchor, const Definitions& definitions,
                           LocationId location, CallEvents& target, const std::atomic<bool>& stopped,
                           std::uint64_t first) {
    EventFile file(anchor, definitions, location);
    if (file.events() == nullptr) return {file.outcome(), false};
    CallDelivery delivery(definitions, location, target, stopped);
    delivery.registerAt(file);
    if (first != 0 && !file.skipTo(first)) return {file.outcome(), false};
    file.deliver({});
    delivery.rethrow();
    return {delivery.hadEnough() ? file.outcome() : file.completeOutcome(), delivery.hadEnough()};
}

}  // namespace holos::analyzer::trace
