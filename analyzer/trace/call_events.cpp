// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/call_events.h"

#include <exception>

#include "analyzer/trace/comm_members.h"
#include "analyzer/trace/event_attributes.h"

namespace holos::analyzer::trace {

namespace {

/// From the events of a file to the target. Exceptions must not travel through OTF2.
class CallDelivery {
  public:
    CallDelivery(const Definitions& definitions, LocationId location, CallEvents& target,
                 const std::atomic<bool>& stopped)
        : definitions_(definitions),
          location_(location),
          target_(target),
          stopped_(stopped),
          paths_(definitions) {}

    bool listenTo(EventFile& file) {
        EventHandlers handlers;
        setEnds(handlers);
        setCalls(handlers);
        setMessages(handlers);
        if (target_.wantsStacks()) setStacks(handlers);
        return file.listen(handlers, this);
    }

    bool hadEnough() const { return enough_; }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    static void setEnds(EventHandlers& c) {
        const auto runs = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                             OTF2_AttributeList*, auto...) {
            return guarded(event, user,
                           [&](CallDelivery& self) { return self.target_.runs(self.ticks(time)); });
        };
        c.programBegin = runs;
        c.programEnd = runs;
        c.threadBegin = runs;
        c.threadEnd = runs;
        c.measurementOnOff = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                OTF2_AttributeList*, OTF2_MeasurementMode mode) {
            return guarded(event, user, [&](CallDelivery& self) {
                const Ticks at = self.ticks(time);
                return mode == OTF2_MEASUREMENT_ON ? self.target_.goesOn(at) : self.target_.stops(at);
            });
        };
    }

    static void setCalls(EventHandlers& c) {
        c.enter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                     OTF2_AttributeList* attributes, OTF2_RegionRef region) {
            return guarded(event, user, [&](CallDelivery& self) {
                self.shortage(time, attributes);
                return self.target_.enter(self.ticks(time),
                                          self.definitions_.regionOf.findOr(region, kUndefinedRegion));
            });
        };
        c.leave = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                     OTF2_AttributeList* attributes, OTF2_RegionRef region) {
            return guarded(event, user, [&](CallDelivery& self) {
                self.shortage(time, attributes);
                return self.target_.leave(self.ticks(time),
                                          self.definitions_.regionOf.findOr(region, kUndefinedRegion));
            });
        };
        c.threadAcquireLock = c.threadReleaseLock =
            [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
               OTF2_AttributeList* attributes, OTF2_Paradigm, std::uint32_t, std::uint32_t) {
                return guarded(event, user, [&](CallDelivery& self) {
                    self.shortage(time, attributes);
                    return true;
                });
            };
        c.callingContextEnter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                   OTF2_AttributeList*, OTF2_CallingContextRef context, std::uint32_t) {
            return guarded(event, user, [&](CallDelivery& self) {
                return self.target_.enter(self.ticks(time),
                                          self.definitions_.regionOfCallingContext(context));
            });
        };
        c.callingContextLeave = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                   OTF2_AttributeList*, OTF2_CallingContextRef context) {
            return guarded(event, user, [&](CallDelivery& self) {
                return self.target_.leave(self.ticks(time),
                                          self.definitions_.regionOfCallingContext(context));
            });
        };
    }

    /// Instead of the callbacks for calls alone.
    static void setStacks(EventHandlers& c) {
        c.enter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                     OTF2_AttributeList* attributes, OTF2_RegionRef region) {
            return guarded(event, user, [&](CallDelivery& self) {
                self.shortage(time, attributes);
                return self.target_.enterFrom(self.ticks(time),
                                              self.definitions_.regionOf.findOr(region, kUndefinedRegion),
                                              self.callPath(region, attributes));
            });
        };
        c.callingContextEnter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                   OTF2_AttributeList*, OTF2_CallingContextRef context, std::uint32_t) {
            return guarded(event, user, [&](CallDelivery& self) {
                const auto known = self.definitions_.callingContextOf.find(context);
                const auto caller = known ? self.definitions_[*known].parent : std::nullopt;
                return self.target_.enterFrom(self.ticks(time),
                                              self.definitions_.regionOfCallingContext(context),
                                              caller.value_or(kNoContext));
            });
        };
        c.callingContextSample = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                    OTF2_AttributeList*, OTF2_CallingContextRef context, std::uint32_t,
                                    OTF2_InterruptGeneratorRef) {
            return guarded(event, user, [&](CallDelivery& self) {
                const auto known = self.definitions_.callingContextOf.find(context);
                return !known || self.target_.sample(self.ticks(time), *known);
            });
        };
        // Our recorder's samples: values of counters that say where they were taken.
        c.metric = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                      OTF2_AttributeList* attributes, OTF2_MetricRef, std::uint8_t, const OTF2_Type*,
                      const OTF2_MetricValue*) {
            return guarded(event, user, [&](CallDelivery& self) {
                const auto known = contextIn(attributes, self.definitions_);
                return !known || self.target_.sample(self.ticks(time), *known);
            });
        };
    }

    /// The thread had no processor for a while before the event.
    void shortage(OTF2_TimeStamp time, const OTF2_AttributeList* attributes) {
        if (!definitions_.attributeOfShortage || OTF2_AttributeList_GetNumberOfElements(attributes) == 0)
            return;
        if (const auto lacked = numberIn(attributes, definitions_.attributeOfShortage))
            target_.withoutProcessor(ticks(time), ticksOfNanoseconds(*lacked, definitions_));
    }

    ContextId callPath(OTF2_RegionRef region, const OTF2_AttributeList* attributes) {
        if (!definitions_.attributeOfCallPaths) return kNoContext;
        return paths_.of(region, attributes, [this](OTF2_CallingContextRef told) {
            return definitions_.callingContextOf.findOr(told, kNoContext);
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

    static void setMessages(EventHandlers& c) {
        c.mpiSend = &CallDelivery::onMessage<true>;
        c.mpiIsend = &CallDelivery::onRequest<true>;
        c.mpiRecv = &CallDelivery::onMessage<false>;
        c.mpiIrecv = &CallDelivery::onRequest<false>;
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
    EnterPaths paths_;
    bool enough_ = false;
    std::exception_ptr failure_;
};

}  // namespace

CallReading readCallEvents(const std::filesystem::path& anchor, const Definitions& definitions,
                           LocationId location, CallEvents& target, const std::atomic<bool>& stopped,
                           std::uint64_t first) {
    EventFile file(anchor, definitions, location);
    CallDelivery delivery(definitions, location, target, stopped);
    if (!delivery.listenTo(file)) return {file.outcome(), false};
    if (first != 0 && !file.skipTo(first)) return {file.outcome(), false};
    file.deliver({});
    delivery.rethrow();
    return {delivery.hadEnough() ? file.outcome() : file.completeOutcome(), delivery.hadEnough()};
}

}  // namespace holos::analyzer::trace
