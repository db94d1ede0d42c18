// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/delivery/event_dispatch.h"

/// Callbacks of messages, collective operations and one-sided communication.
namespace holos::analyzer::delivery {

template <class Sink>
void EventDispatch<Sink>::setMpiHandlers(trace::EventHandlers& c) {
    c.mpiSend = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                   OTF2_AttributeList*, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                   std::uint64_t bytes) {
        return guarded(user, event, [&](Self& self) {
            self.withComm(comm, event, time, [&](std::uint32_t known) {
                self.sink_.messages().send(event, self.ticks(time), {peer, known, tag, bytes});
            });
        });
    };
    c.mpiIsend = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                    OTF2_AttributeList*, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                    std::uint64_t bytes, std::uint64_t request) {
        return guarded(user, event, [&](Self& self) {
            self.withComm(comm, event, time, [&](std::uint32_t known) {
                self.sink_.messages().startSend(event, self.ticks(time), {peer, known, tag, bytes}, request);
            });
        });
    };
    c.mpiIsendComplete = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                            OTF2_AttributeList*, std::uint64_t request) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.messages().completeSend(event, self.ticks(time), request);
        });
    };
    c.mpiIrecvRequest = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                           OTF2_AttributeList*, std::uint64_t request) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.messages().postReceive(event, self.ticks(time), request);
        });
    };
    c.mpiRecv = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                   OTF2_AttributeList*, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                   std::uint64_t bytes) {
        return guarded(user, event, [&](Self& self) {
            self.withComm(comm, event, time, [&](std::uint32_t known) {
                self.sink_.messages().receive(event, self.ticks(time), {peer, known, tag, bytes});
            });
        });
    };
    c.mpiIrecv = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                    OTF2_AttributeList*, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                    std::uint64_t bytes, std::uint64_t request) {
        return guarded(user, event, [&](Self& self) {
            self.withComm(comm, event, time, [&](std::uint32_t known) {
                self.sink_.messages().completeReceive(event, self.ticks(time), {peer, known, tag, bytes},
                                                      request);
            });
        });
    };
    c.mpiRequestCancelled = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                               OTF2_AttributeList*, std::uint64_t request) {
        return guarded(user, event,
                       [&](Self& self) { self.sink_.messages().cancel(event, self.ticks(time), request); });
    };
    c.mpiCollectiveBegin = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                              OTF2_AttributeList*) {
        return guarded(user, event,
                       [&](Self& self) { self.sink_.messages().beginCollective(event, self.ticks(time)); });
    };
    c.mpiCollectiveEnd = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                            OTF2_AttributeList*, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                            std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.messages().endCollective(
                event, self.ticks(time), self.collective(event, time, operation, comm, root, sent, received));
        });
    };
    c.nonBlockingCollectiveRequest = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event,
                                        void* user, OTF2_AttributeList*, std::uint64_t request) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.messages().startCollective(event, self.ticks(time), request);
        });
    };
    c.nonBlockingCollectiveComplete = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event,
                                         void* user, OTF2_AttributeList*, OTF2_CollectiveOp operation,
                                         OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                         std::uint64_t received, std::uint64_t request) {
        return guarded(user, event, [&](Self& self) {
            self.sink_.messages().completeCollective(
                event, self.ticks(time), self.collective(event, time, operation, comm, root, sent, received),
                request);
        });
    };
}

template <class Sink>
void EventDispatch<Sink>::setRmaHandlers(trace::EventHandlers& c) {
    c.rmaCollectiveBegin = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                              OTF2_AttributeList*) {
        return guarded(user, event,
                       [&](Self& self) { self.sink_.messages().beginCollective(event, self.ticks(time)); });
    };
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
