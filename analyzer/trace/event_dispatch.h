// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <exception>
#include <memory>
#include <optional>

#include "analyzer/replay/location_replay.h"
#include "analyzer/trace/definitions.h"
#include "analyzer/trace/operations.h"

namespace holos::analyzer::trace {

/// From OTF2's callbacks to the methods of `Sink` (those of `replay::LocationReplay`): maps references to
/// positions and timestamps to ticks since the trace's begin. The sink is a template parameter so that an
/// event costs no call but OTF2's own. Exceptions of the sink are kept in `failure`, because they must not
/// travel through OTF2.
template <class Sink>
class EventDispatch {
  public:
    EventDispatch(const Definitions& definitions, Sink& sink) : definitions_(definitions), sink_(sink) {}

    std::exception_ptr failure() const { return failure_; }

    void registerAt(OTF2_Reader* reader, OTF2_EvtReader* events) {
        const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> callbacks(
            OTF2_EvtReaderCallbacks_New(), &OTF2_EvtReaderCallbacks_Delete);
        setCallCallbacks(callbacks.get());
        setMpiCallbacks(callbacks.get());
        setRmaCallbacks(callbacks.get());
        setThreadCallbacks(callbacks.get());
        setFileCallbacks(callbacks.get());
        setSkippedCallbacks(callbacks.get());
        OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks.get(), this);
    }

  private:
    using Self = EventDispatch;

    static void setCallCallbacks(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetEnterCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RegionRef region) {
                return guarded(user, [&](Self& self) {
                    self.sink_.enter(event, self.ticks(time), self.region(region, event));
                });
            });
        OTF2_EvtReaderCallbacks_SetLeaveCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RegionRef region) {
                return guarded(user, [&](Self& self) {
                    self.sink_.leave(event, self.ticks(time), self.region(region, event));
                });
            });
        OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CallingContextRef context, std::uint32_t) {
                return guarded(user, [&](Self& self) {
                    if (const auto known = self.context(context, event))
                        self.sink_.enterContext(event, self.ticks(time), *known);
                    else
                        self.sink_.enter(event, self.ticks(time), kUndefinedRegion);
                });
            });
        OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CallingContextRef context) {
                return guarded(user, [&](Self& self) {
                    self.sink_.leave(event, self.ticks(time),
                                     self.definitions_.regionOfCallingContext(context));
                });
            });
        OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CallingContextRef context, std::uint32_t, OTF2_InterruptGeneratorRef generator) {
                return guarded(user, [&](Self& self) { self.sample(event, time, context, generator); });
            });
        OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, [](OTF2_LocationRef, OTF2_TimeStamp time,
                                                             std::uint64_t event, void* user,
                                                             OTF2_AttributeList*, OTF2_TimeStamp stop) {
            return guarded(
                user, [&](Self& self) { self.sink_.bufferFlush(event, self.ticks(time), self.ticks(stop)); });
        });
        OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_MeasurementMode mode) {
                return guarded(user, [&](Self& self) {
                    self.sink_.measurement(event, self.ticks(time), mode == OTF2_MEASUREMENT_ON);
                });
            });
        OTF2_EvtReaderCallbacks_SetMetricCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                  OTF2_AttributeList* attributes, OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type*,
                  const OTF2_MetricValue* values) {
                return guarded(user, [&](Self& self) {
                    self.metric(event, time, metric, count, values, self.contextIn(attributes));
                });
            });
        OTF2_EvtReaderCallbacks_SetProgramBeginCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_StringRef name, std::uint32_t, const OTF2_StringRef*) {
                return guarded(user, [&](Self& self) {
                    self.sink_.programBegin(event, self.ticks(time), self.definitions_.text(name));
                });
            });
        OTF2_EvtReaderCallbacks_SetProgramEndCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::int64_t) {
                return guarded(user, [&](Self& self) { self.sink_.programEnd(event, self.ticks(time)); });
            });
    }

    static void setMpiCallbacks(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetMpiSendCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
                return guarded(user, [&](Self& self) {
                    self.withComm(comm, event, time, [&](std::uint32_t known) {
                        self.sink_.mpiSend(event, self.ticks(time), {peer, known, tag, bytes});
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetMpiIsendCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                  std::uint64_t request) {
                return guarded(user, [&](Self& self) {
                    self.withComm(comm, event, time, [&](std::uint32_t known) {
                        self.sink_.mpiIsend(event, self.ticks(time), {peer, known, tag, bytes}, request);
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::uint64_t request) {
                return guarded(
                    user, [&](Self& self) { self.sink_.mpiIsendComplete(event, self.ticks(time), request); });
            });
        OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::uint64_t request) {
                return guarded(
                    user, [&](Self& self) { self.sink_.mpiIrecvRequest(event, self.ticks(time), request); });
            });
        OTF2_EvtReaderCallbacks_SetMpiRecvCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
                return guarded(user, [&](Self& self) {
                    self.withComm(comm, event, time, [&](std::uint32_t known) {
                        self.sink_.mpiRecv(event, self.ticks(time), {peer, known, tag, bytes});
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                  std::uint64_t request) {
                return guarded(user, [&](Self& self) {
                    self.withComm(comm, event, time, [&](std::uint32_t known) {
                        self.sink_.mpiIrecv(event, self.ticks(time), {peer, known, tag, bytes}, request);
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::uint64_t request) {
                return guarded(user, [&](Self& self) {
                    self.sink_.mpiRequestCancelled(event, self.ticks(time), request);
                });
            });
        OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, [](OTF2_LocationRef, OTF2_TimeStamp time,
                                                                    std::uint64_t event, void* user,
                                                                    OTF2_AttributeList*) {
            return guarded(user, [&](Self& self) { self.sink_.mpiCollectiveBegin(event, self.ticks(time)); });
        });
        OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CollectiveOp operation, OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                  std::uint64_t received) {
                return guarded(user, [&](Self& self) {
                    self.sink_.mpiCollectiveEnd(
                        event, self.ticks(time),
                        self.collective(event, time, operation, comm, root, sent, received));
                });
            });
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  std::uint64_t request) {
                return guarded(user, [&](Self& self) {
                    self.sink_.mpiCollectiveRequest(event, self.ticks(time), request);
                });
            });
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CollectiveOp operation, OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                  std::uint64_t received, std::uint64_t request) {
                return guarded(user, [&](Self& self) {
                    self.sink_.mpiCollectiveComplete(
                        event, self.ticks(time),
                        self.collective(event, time, operation, comm, root, sent, received), request);
                });
            });
    }

    static void setRmaCallbacks(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(c, [](OTF2_LocationRef, OTF2_TimeStamp time,
                                                                    std::uint64_t event, void* user,
                                                                    OTF2_AttributeList*) {
            return guarded(user, [&](Self& self) { self.sink_.rmaCollectiveBegin(event, self.ticks(time)); });
        });
        OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CollectiveOp operation, OTF2_RmaSyncLevel, OTF2_RmaWinRef window, std::uint32_t,
                  std::uint64_t, std::uint64_t) {
                return guarded(user, [&](Self& self) {
                    self.withWindow(window, event, time, [&](std::uint32_t known) {
                        self.sink_.rmaCollectiveEnd(event, self.ticks(time), known,
                                                    windowOperation(operation));
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RmaSyncLevel, OTF2_RmaWinRef window, OTF2_GroupRef group) {
                return guarded(user, [&](Self& self) {
                    self.withWindow(window, event, time, [&](std::uint32_t known) {
                        const auto members = self.definitions_.groupOf.find(group);
                        self.sink_.rmaGroupSync(
                            event, self.ticks(time), known,
                            members ? static_cast<std::uint32_t>(members->index()) : replay::kNone);
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t, OTF2_LockType type) {
                return guarded(user, [&](Self& self) {
                    self.withWindow(window, event, time, [&](std::uint32_t known) {
                        self.sink_.rmaLock(event, self.ticks(time), known, target,
                                           type == OTF2_LOCK_EXCLUSIVE);
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t) {
                return guarded(user, [&](Self& self) {
                    self.withWindow(window, event, time, [&](std::uint32_t known) {
                        self.sink_.rmaUnlock(event, self.ticks(time), known, target);
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetRmaPutCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t bytes, std::uint64_t) {
                return guarded(user, [&](Self& self) { self.access(event, time, window, target, bytes, 0); });
            });
        OTF2_EvtReaderCallbacks_SetRmaGetCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t bytes, std::uint64_t) {
                return guarded(user, [&](Self& self) { self.access(event, time, window, target, 0, bytes); });
            });
        OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_RmaWinRef window, std::uint32_t target, OTF2_RmaAtomicType, std::uint64_t sent,
                  std::uint64_t received, std::uint64_t) {
                return guarded(user,
                               [&](Self& self) { self.access(event, time, window, target, sent, received); });
            });
        const auto onComplete = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                   OTF2_AttributeList*, OTF2_RmaWinRef window, std::uint64_t) {
            return guarded(user, [&](Self& self) {
                self.withWindow(window, event, time, [&](std::uint32_t known) {
                    self.sink_.rmaOperationComplete(event, self.ticks(time), known);
                });
            });
        };
        OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(c, onComplete);
        OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(c, onComplete);
    }

    static void setThreadCallbacks(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetThreadForkCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_Paradigm, std::uint32_t) {
                return guarded(user, [&](Self& self) { self.sink_.threadFork(event, self.ticks(time)); });
            });
        OTF2_EvtReaderCallbacks_SetThreadJoinCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_Paradigm) {
                return guarded(user, [&](Self& self) { self.sink_.threadJoin(event, self.ticks(time)); });
            });
        OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CommRef team) {
                return guarded(user, [&](Self& self) {
                    self.withComm(team, event, time, [&](std::uint32_t known) {
                        self.sink_.threadTeamBegin(event, self.ticks(time), known);
                    });
                });
            });
        OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CommRef team) {
                return guarded(user, [&](Self& self) {
                    self.withComm(team, event, time,
                                  [&](std::uint32_t) { self.sink_.threadTeamEnd(event, self.ticks(time)); });
                });
            });
        OTF2_EvtReaderCallbacks_SetThreadBeginCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CommRef, std::uint64_t) {
                return guarded(user, [&](Self& self) { self.sink_.threadBegin(event, self.ticks(time)); });
            });
        OTF2_EvtReaderCallbacks_SetThreadEndCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CommRef, std::uint64_t) {
                return guarded(user, [&](Self& self) { self.sink_.threadEnd(event, self.ticks(time)); });
            });
        OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_Paradigm, std::uint32_t lock, std::uint32_t order) {
                return guarded(user, [&](Self& self) {
                    self.sink_.threadLock(event, self.ticks(time), lock, order, true);
                });
            });
        OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_Paradigm, std::uint32_t lock, std::uint32_t order) {
                return guarded(user, [&](Self& self) {
                    self.sink_.threadLock(event, self.ticks(time), lock, order, false);
                });
            });
        OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(c, [](OTF2_LocationRef, OTF2_TimeStamp time,
                                                                  std::uint64_t event, void* user,
                                                                  OTF2_AttributeList*, OTF2_CommRef team,
                                                                  std::uint32_t creator,
                                                                  std::uint32_t generation) {
            return guarded(user, [&](Self& self) {
                self.sink_.taskSwitch(event, self.ticks(time), {self.commOrNone(team), creator, generation});
            });
        });
        OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_CommRef team, std::uint32_t creator, std::uint32_t generation) {
                return guarded(user, [&](Self& self) {
                    self.sink_.taskComplete(event, self.ticks(time),
                                            {self.commOrNone(team), creator, generation});
                });
            });
    }

    static void setFileCallbacks(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_IoHandleRef handle, OTF2_IoAccessMode, OTF2_IoCreationFlag, OTF2_IoStatusFlag) {
                return guarded(user, [&](Self& self) {
                    self.openedOrClosed(event, time, handle, replay::Collective::FileOpen);
                });
            });
        OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_IoHandleRef handle) {
                return guarded(user, [&](Self& self) {
                    self.openedOrClosed(event, time, handle, replay::Collective::FileClose);
                });
            });
        OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
                  std::uint64_t bytes, std::uint64_t operation) {
                return guarded(user, [&](Self& self) {
                    const bool isCollective = (flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE) != 0;
                    self.sink_.fileBegin(event, self.ticks(time), {handle, operation}, fileOperation(mode),
                                         bytes, isCollective ? self.sharedFile(handle) : replay::kNone);
                });
            });
        OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_IoHandleRef handle, std::uint64_t bytes, std::uint64_t operation) {
                return guarded(user, [&](Self& self) {
                    self.sink_.fileComplete(event, self.ticks(time), {handle, operation}, bytes);
                });
            });
        OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(
            c, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*,
                  OTF2_IoHandleRef handle, std::uint64_t operation) {
                return guarded(user, [&](Self& self) {
                    self.sink_.fileComplete(event, self.ticks(time), {handle, operation}, 0);
                });
            });
    }

    /// Events that say something of which no metric is made. Other kinds without a callback say nothing new.
    static void setSkippedCallbacks(OTF2_EvtReaderCallbacks* c) {
        const auto onParameter = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                    OTF2_AttributeList*, OTF2_ParameterRef, auto) {
            return guarded(user, [&](Self& self) { self.leftOut("parameters of calls", event, time); });
        };
        OTF2_EvtReaderCallbacks_SetParameterIntCallback(c, onParameter);
        OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(c, onParameter);
        OTF2_EvtReaderCallbacks_SetParameterStringCallback(c, onParameter);
        OTF2_EvtReaderCallbacks_SetUnknownCallback(
            c,
            [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user, OTF2_AttributeList*) {
                return guarded(user, [&](Self& self) {
                    self.leftOut("events of kinds that this version of OTF2 does not know", event, time);
                });
            });
    }

    void leftOut(const char* what, std::uint64_t event, OTF2_TimeStamp time) {
        sink_.complain(Trouble::NotAnalyzed, std::string(what) + " were left out", event, ticks(time));
    }

    template <class Work>
    static OTF2_CallbackCode guarded(void* user, Work&& work) {
        auto& self = *static_cast<Self*>(user);
        try {
            work(self);
            return OTF2_CALLBACK_SUCCESS;
        } catch (...) {
            self.failure_ = std::current_exception();
            return OTF2_CALLBACK_INTERRUPT;
        }
    }

    Ticks ticks(OTF2_TimeStamp time) const {
        return static_cast<Ticks>(time - definitions_.clock.globalOffset);
    }

    RegionId region(OTF2_RegionRef reference, std::uint64_t event) {
        const RegionId found = definitions_.regionOf.findOr(reference, kUndefinedRegion);
        if (found == kUndefinedRegion) [[unlikely]]
            sink_.complain(Trouble::MissingDefinition, "an event names a region that is not defined", event,
                           sink_.now());
        return found;
    }

    std::optional<ContextId> context(OTF2_CallingContextRef reference, std::uint64_t event) {
        const auto known = definitions_.callingContextOf.find(reference);
        if (!known)
            sink_.complain(Trouble::MissingDefinition, "an event names a calling context that is not defined",
                           event, sink_.now());
        return known;
    }

    std::uint32_t commOrNone(OTF2_CommRef reference) const {
        const auto found = definitions_.commOf.find(reference);
        return found ? static_cast<std::uint32_t>(found->index()) : replay::kNone;
    }

    template <class Use>
    void withComm(OTF2_CommRef reference, std::uint64_t event, OTF2_TimeStamp time, Use&& use) {
        const std::uint32_t known = commOrNone(reference);
        if (known != replay::kNone)
            use(known);
        else
            sink_.complain(Trouble::MissingDefinition,
                           "an event of an undefined communicator or team was left out", event, ticks(time));
    }

    template <class Use>
    void withWindow(OTF2_RmaWinRef reference, std::uint64_t event, OTF2_TimeStamp time, Use&& use) {
        if (const auto known = definitions_.windowOf.find(reference))
            use(static_cast<std::uint32_t>(known->index()));
        else
            sink_.complain(Trouble::MissingDefinition, "an event of an undefined window was left out", event,
                           ticks(time));
    }

    void access(std::uint64_t event, OTF2_TimeStamp time, OTF2_RmaWinRef window, std::uint32_t target,
                std::uint64_t put, std::uint64_t got) {
        withWindow(window, event, time, [&](std::uint32_t known) {
            sink_.rmaAccess(event, ticks(time), known, target, put, got);
        });
    }

    /// `kNone` where a process has the file for itself.
    std::uint32_t sharedFile(OTF2_IoHandleRef handle) const {
        const auto known = definitions_.sharedFileOf.find(handle);
        return known ? static_cast<std::uint32_t>(known->index()) : replay::kNone;
    }

    void openedOrClosed(std::uint64_t event, OTF2_TimeStamp time, OTF2_IoHandleRef handle,
                        replay::Collective operation) {
        if (const std::uint32_t file = sharedFile(handle); file != replay::kNone)
            sink_.fileOpenedOrClosed(event, ticks(time), file, operation);
    }

    /// Of a sample of the call stack, which says by an attribute where it was taken.
    std::optional<ContextId> contextIn(const OTF2_AttributeList* attributes) const {
        const std::uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);
        for (std::uint32_t i = 0; i < count; ++i) {
            OTF2_AttributeRef attribute = 0;
            OTF2_Type type = OTF2_TYPE_NONE;
            OTF2_AttributeValue value;
            OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value);
            if (type == OTF2_TYPE_CALLING_CONTEXT)
                return definitions_.callingContextOf.find(value.callingContextRef);
        }
        return std::nullopt;
    }

    void metric(std::uint64_t event, OTF2_TimeStamp time, OTF2_MetricRef metric, std::uint8_t count,
                const OTF2_MetricValue* values, std::optional<ContextId> context) {
        const auto known = definitions_.metricClassOf.find(metric);
        if (!known) {
            sink_.complain(Trouble::MissingDefinition, "values of an undefined metric were left out", event,
                           ticks(time));
            return;
        }
        const auto& members = definitions_.metricClasses[known->index()].members;
        std::array<replay::CounterValue, 256> converted;
        for (std::uint8_t i = 0; i < count; ++i) {
            const bool real =
                i < members.size() && definitions_.metricMembers[members[i].index()].type == MetricType::Real;
            if (real)
                converted[i].real = values[i].floating_point;
            else
                converted[i].integer = values[i].signed_int;
        }
        sink_.metric(event, ticks(time), *known, converted.data(), count, context);
    }

    /// Counts as the values of its generator's metrics would.
    void sample(std::uint64_t event, OTF2_TimeStamp time, OTF2_CallingContextRef where,
                OTF2_InterruptGeneratorRef generator) {
        const auto samples = definitions_.samplesOf.find(generator);
        if (!samples)
            return sink_.complain(Trouble::MissingDefinition,
                                  "samples of an undefined interrupt generator were left out", event,
                                  ticks(time));
        const auto known = context(where, event);
        static constexpr std::array<replay::CounterValue, 2> kOnce{{{.integer = 1}, {.integer = 1}}};
        sink_.metric(event, ticks(time), *samples, kOnce.data(), kOnce.size(), known);
    }

    replay::CollectiveRecord collective(std::uint64_t event, OTF2_TimeStamp time, OTF2_CollectiveOp operation,
                                        OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                        std::uint64_t received) {
        replay::CollectiveRecord record;
        record.operation = collectiveOperation(operation);
        record.comm = commOrNone(comm);
        static_assert(replay::kNone == OTF2_COLLECTIVE_ROOT_NONE &&
                      replay::kRootSelf == OTF2_COLLECTIVE_ROOT_SELF);
        record.root = root;
        record.sent = sent;
        record.received = received;
        if (record.comm == replay::kNone && record.operation != replay::Collective::Other)
            sink_.complain(Trouble::MissingDefinition,
                           "a collective operation on an undefined communicator counts without waiting time",
                           event, ticks(time));
        return record;
    }

    const Definitions& definitions_;
    Sink& sink_;
    std::exception_ptr failure_;
};

}  // namespace holos::analyzer::trace
