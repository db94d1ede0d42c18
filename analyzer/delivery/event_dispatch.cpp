// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/delivery/event_dispatch.h"

namespace holos::analyzer::delivery {

/// Callbacks of calls, counters, threads and tasks, files, and of what is skipped.

/// Without attributes, which most of them are. Into this loop the compiler puts all that it knows.
template <bool knowsPaths>
[[gnu::flatten]] trace::CallsTaken EventDispatch::onCalls(void* user, std::uint64_t first,
                                                          std::span<const trace::PlainCall> calls) {
    auto& self = *static_cast<Self*>(user);
    const std::uint64_t before = first + self.leftOut_;
    std::size_t taken = 0;
    try {
        while (taken < calls.size()) {
            taken += self.passPlain<knowsPaths>(calls.subspan(taken));
            if (taken == calls.size()) break;
            const trace::PlainCall& call = calls[taken];
            const std::uint64_t event = before + taken++;
            const trace::RegionId region = self.region(call.region, event);
            const trace::Ticks time = self.ticks(call.time);
            if (!call.isEnter)
                self.sink_.calls().leave(event, time, region);
            else if constexpr (knowsPaths)
                self.sink_.calls().enterFrom(event, time, region, self.callPath(call.region, nullptr, event));
            else
                self.sink_.calls().enter(event, time, region);
        }
        return {taken, OTF2_CALLBACK_SUCCESS};
    } catch (...) {
        self.failure_ = std::current_exception();
        return {taken, OTF2_CALLBACK_INTERRUPT};
    }
}

void EventDispatch::setCallHandlers(trace::EventHandlers& c) {
    c.calls = &Self::onCalls<false>;
    c.enter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                 OTF2_AttributeList* attributes, OTF2_RegionRef region) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            const trace::RegionId entered = self.region(region, event);
            if (const auto task = self.movingTask(entered, attributes)) [[unlikely]]
                return self.sink_.calls().enterTask(event, self.ticks(time), entered, *task);
            self.sink_.calls().enter(event, self.ticks(time), entered);
            if (self.definitions_.attributeOfCalls) [[unlikely]]
                self.calls(attributes);
        });
    };
    c.leave = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                 OTF2_AttributeList* attributes, OTF2_RegionRef region) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            if (self.definitions_.attributeOfFiles) [[unlikely]]
                self.leaveFile(event, time, attributes);
            if (self.definitions_.attributeOfTimeouts) [[unlikely]]
                self.timeout(event, time, attributes);
            const trace::RegionId left = self.region(region, event);
            if (const auto task = self.movingTask(left, attributes)) [[unlikely]]
                return self.sink_.calls().leaveTask(event, self.ticks(time), left, *task);
            self.sink_.calls().leave(event, self.ticks(time), left);
        });
    };
    c.callingContextEnter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                               OTF2_AttributeList*, OTF2_CallingContextRef context, std::uint32_t) {
        return guarded(user, event, [&](Self& self) {
            if (const auto known = self.context(context, event))
                self.sink_.calls().enterContext(event, self.ticks(time), *known);
            else
                self.sink_.calls().enter(event, self.ticks(time), trace::kUndefinedRegion);
        });
    };
    c.callingContextLeave = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                               OTF2_AttributeList*, OTF2_CallingContextRef context) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.calls().leave(event, self.ticks(time),
                                     self.definitions_.regionOfCallingContext(context));
        });
    };
    c.callingContextSample = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                OTF2_AttributeList*, OTF2_CallingContextRef context, std::uint32_t,
                                OTF2_InterruptGeneratorRef generator) {
        return guarded(user, event, [&](Self& self) { self.sample(event, time, context, generator); });
    };
    c.bufferFlush = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                       OTF2_AttributeList*, OTF2_TimeStamp stop) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.calls().bufferFlush(event, self.ticks(time), self.ticks(stop));
        });
    };
    c.measurementOnOff = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                            OTF2_AttributeList*, OTF2_MeasurementMode mode) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.calls().measurement(event, self.ticks(time), mode == OTF2_MEASUREMENT_ON);
        });
    };
    c.metric = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                  OTF2_AttributeList* attributes, OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type*,
                  const OTF2_MetricValue* values) {
        return guarded(user, event, [&](Self& self) {
            self.metric(event, time, metric, count, values, trace::contextIn(attributes, self.definitions_));
        });
    };
    c.programBegin = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                        OTF2_AttributeList*, OTF2_StringRef name, std::uint32_t, const OTF2_StringRef*) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.calls().programBegin(event, self.ticks(time), self.definitions_.text(name));
        });
    };
    c.programEnd = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                      OTF2_AttributeList*, std::int64_t) {
        return guarded(user, event,
                       [&](Self& self) { self.sink_.calls().programEnd(event, self.ticks(time)); });
    };
}

/// Instead of that for enters that say nothing of calls.
void EventDispatch::setCallPathHandlers(trace::EventHandlers& c) {
    c.calls = &Self::onCalls<true>;
    c.enter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                 OTF2_AttributeList* attributes, OTF2_RegionRef region) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            const trace::RegionId known = self.region(region, event);
            self.sink_.calls().enterFrom(event, self.ticks(time), known,
                                         self.callPath(region, attributes, event));
            if (self.definitions_.attributeOfCalls) [[unlikely]]
                self.calls(attributes);
        });
    };
}

void EventDispatch::setThreadHandlers(trace::EventHandlers& c) {
    c.threadFork = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                      OTF2_AttributeList* attributes, OTF2_Paradigm, std::uint32_t) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            self.sink_.calls().threadFork(event, self.ticks(time));
        });
    };
    c.threadJoin = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                      OTF2_AttributeList* attributes, OTF2_Paradigm) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            self.sink_.calls().threadJoin(event, self.ticks(time));
        });
    };
    c.threadTeamBegin = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                           OTF2_AttributeList* attributes, OTF2_CommRef team) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            self.withComm(team, event, time, [&](std::uint32_t known) {
                self.sink_.calls().threadTeamBegin(event, self.ticks(time), known);
            });
        });
    };
    c.threadTeamEnd = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                         OTF2_AttributeList* attributes, OTF2_CommRef team) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            self.withComm(team, event, time,
                          [&](std::uint32_t) { self.sink_.calls().threadTeamEnd(event, self.ticks(time)); });
        });
    };
    c.threadCreate = &Self::onThread<&replay::ThreadEvents::create>;
    c.threadBegin = &Self::onThread<&replay::ThreadEvents::begin>;
    c.threadEnd = &Self::onThread<&replay::ThreadEvents::end>;
    c.threadWait = &Self::onThread<&replay::ThreadEvents::wait>;
    c.threadAcquireLock = &Self::onLock<true>;
    c.threadReleaseLock = &Self::onLock<false>;
    c.threadTaskSwitch = &Self::onTask<&replay::CallReplay::taskSwitch>;
    c.threadTaskComplete = &Self::onTask<&replay::CallReplay::taskComplete>;
}

void EventDispatch::setFileHandlers(trace::EventHandlers& c) {
    c.ioCreateHandle = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                          OTF2_AttributeList*, OTF2_IoHandleRef handle, OTF2_IoAccessMode,
                          OTF2_IoCreationFlag, OTF2_IoStatusFlag) {
        return guarded(user, event,
                       [&](Self& self) { self.onFile(event, time, handle, replay::Collective::FileOpen); });
    };
    c.ioDestroyHandle = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                           OTF2_AttributeList*, OTF2_IoHandleRef handle) {
        return guarded(user, event,
                       [&](Self& self) { self.onFile(event, time, handle, replay::Collective::FileClose); });
    };
    c.ioSeek = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_IoHandleRef handle, std::int64_t, OTF2_IoSeekOption, std::uint64_t) {
        return guarded(user, event, [&](Self& self) {
            if (const std::uint32_t file = self.sharedFile(handle); file != replay::kNone)
                self.sink_.files().seek(event, self.ticks(time), file);
        });
    };
    c.ioOperationBegin = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                            OTF2_AttributeList*, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                            OTF2_IoOperationFlag flags, std::uint64_t bytes, std::uint64_t operation) {
        return guarded(user, event, [&](Self& self) {
            const bool isCollective = (flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE) != 0;
            self.sink_.files().begin(event, self.ticks(time), {handle, operation}, fileOperation(mode), bytes,
                                     isCollective ? self.sharedFile(handle) : replay::kNone);
        });
    };
    c.ioOperationComplete = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                               OTF2_AttributeList*, OTF2_IoHandleRef handle, std::uint64_t bytes,
                               std::uint64_t operation) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.files().complete(event, self.ticks(time), {handle, operation}, bytes);
        });
    };
    c.ioOperationCancelled = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                OTF2_AttributeList*, OTF2_IoHandleRef handle, std::uint64_t operation) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.files().complete(event, self.ticks(time), {handle, operation}, 0);
        });
    };
}

/// Events that say something of which no metric is made. Other kinds without a callback say nothing new.
void EventDispatch::setSkippedHandlers(trace::EventHandlers& c) {
    const auto onParameter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                OTF2_AttributeList*, OTF2_ParameterRef, auto) {
        return guarded(user, event, [&](Self& self) { self.leftOut("parameters of calls", event, time); });
    };
    c.parameterInt = onParameter;
    c.parameterUnsignedInt = onParameter;
    c.parameterString = onParameter;
    c.unknown = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                   OTF2_AttributeList*) {
        return guarded(user, event, [&](Self& self) {
            self.leftOut("events of kinds that this version of OTF2 does not know", event, time);
        });
    };
}

/// Callbacks of messages, collective operations and one-sided communication.
void EventDispatch::setMpiHandlers(trace::EventHandlers& c) {
    using Events = replay::MessageEvents;
    c.mpiSend = &Self::onMessage<&Events::send>;
    c.mpiIsend = &Self::onMessage<&Events::startSend, std::uint64_t>;
    c.mpiIsendComplete = &Self::onRequest<&Events::completeSend>;
    c.mpiIrecvRequest = &Self::onRequest<&Events::postReceive>;
    c.mpiRecv = &Self::onMessage<&Events::receive>;
    c.mpiIrecv = &Self::onMessage<&Events::completeReceive, std::uint64_t>;
    c.mpiRequestCancelled = &Self::onRequest<&Events::cancel>;
    c.mpiCollectiveBegin = &Self::onCollectiveBegin;
    c.mpiCollectiveEnd = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                            OTF2_AttributeList* attributes, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                            std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.messages().endCollective(
                event, self.ticks(time),
                self.collective(event, time, operation, comm, root, sent, received, attributes));
        });
    };
    c.nonBlockingCollectiveRequest = &Self::onRequest<&Events::startCollective>;
    c.nonBlockingCollectiveComplete = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event,
                                         void* user, OTF2_AttributeList* attributes,
                                         OTF2_CollectiveOp operation, OTF2_CommRef comm, std::uint32_t root,
                                         std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.messages().completeCollective(
                event, self.ticks(time),
                self.collective(event, time, operation, comm, root, sent, received, attributes), request);
        });
    };
}

void EventDispatch::setRmaHandlers(trace::EventHandlers& c) {
    c.rmaCollectiveBegin = &Self::onCollectiveBegin;
    c.rmaCollectiveEnd = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                            OTF2_AttributeList*, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel,
                            OTF2_RmaWinRef window, std::uint32_t, std::uint64_t, std::uint64_t) {
        return guarded(user, event, [&](Self& self) {
            self.withWindow(window, event, time, [&](std::uint32_t known) {
                replay::CollectiveRecord record;
                record.comm = known;
                record.operation = windowOperation(operation);
                self.sink_.messages().endCollective(event, self.ticks(time), record);
            });
        });
    };
    c.rmaGroupSync = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                        OTF2_AttributeList*, OTF2_RmaSyncLevel, OTF2_RmaWinRef window, OTF2_GroupRef group) {
        return guarded(user, event, [&](Self& self) {
            self.withWindow(window, event, time, [&](std::uint32_t known) {
                const auto members = self.definitions_.groupOf.find(group);
                self.sink_.oneSided().groupSync(
                    event, self.ticks(time), known,
                    members ? static_cast<std::uint32_t>(members->index()) : replay::kNone);
            });
        });
    };
    c.rmaRequestLock = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                          OTF2_AttributeList*, OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t,
                          OTF2_LockType type) {
        return guarded(user, event, [&](Self& self) {
            self.withWindow(window, event, time, [&](std::uint32_t known) {
                self.sink_.oneSided().lock(event, self.ticks(time), known, target,
                                           type == OTF2_LOCK_EXCLUSIVE);
            });
        });
    };
    c.rmaReleaseLock = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                          OTF2_AttributeList*, OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t) {
        return guarded(user, event, [&](Self& self) {
            self.withWindow(window, event, time, [&](std::uint32_t known) {
                self.sink_.oneSided().unlock(event, self.ticks(time), known, target);
            });
        });
    };
    c.rmaPut = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t bytes, std::uint64_t operation) {
        return guarded(user, event,
                       [&](Self& self) { self.access(event, time, window, operation, target, bytes, 0); });
    };
    c.rmaGet = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t bytes, std::uint64_t operation) {
        return guarded(user, event,
                       [&](Self& self) { self.access(event, time, window, operation, target, 0, bytes); });
    };
    c.rmaAtomic = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                     OTF2_AttributeList*, OTF2_RmaWinRef window, std::uint32_t target, OTF2_RmaAtomicType,
                     std::uint64_t sent, std::uint64_t received, std::uint64_t operation) {
        return guarded(user, event, [&](Self& self) {
            self.access(event, time, window, operation, target, sent, received);
        });
    };
    const auto onComplete = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                               OTF2_AttributeList*, OTF2_RmaWinRef window, std::uint64_t operation) {
        return guarded(user, event, [&](Self& self) {
            self.withWindow(window, event, time, [&](std::uint32_t known) {
                self.sink_.oneSided().complete(event, self.ticks(time), {known, operation});
            });
        });
    };
    c.rmaOpCompleteNonBlocking = onComplete;
    c.rmaOpCompleteRemote = onComplete;
}

}  // namespace holos::analyzer::delivery
