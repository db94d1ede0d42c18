// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <cmath>
#include <exception>
#include <optional>

#include "analyzer/replay/file_recorder.h"
#include "analyzer/replay/location_replay.h"
#include "analyzer/replay/records.h"
#include "analyzer/trace/definitions.h"
#include "analyzer/trace/event_attributes.h"
#include "analyzer/trace/event_handlers.h"

namespace holos::analyzer::delivery {

/// OTF2's numbers of operations become those of the analysis.

/// Of all processes of a communicator. Ours are numbered as OTF2's but for those of handles, which are
/// communicators here; what lies behind (allocation) is not analyzed.
inline replay::Collective collectiveOperation(OTF2_CollectiveOp operation) {
    switch (operation) {
        case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
            return replay::Collective::CommCreate;
        case OTF2_COLLECTIVE_OP_DESTROY_HANDLE:
            return replay::Collective::CommFree;
        default:
            return operation <= OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK
                       ? static_cast<replay::Collective>(operation)
                       : replay::Collective::Other;
    }
}

/// Of all processes of a window.
inline replay::Collective windowOperation(OTF2_CollectiveOp operation) {
    switch (operation) {
        case OTF2_COLLECTIVE_OP_BARRIER:
            return replay::Collective::WinFence;
        case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
        case OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE:
            return replay::Collective::WinCreate;
        case OTF2_COLLECTIVE_OP_DESTROY_HANDLE:
        case OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE:
            return replay::Collective::WinFree;
        default:
            return replay::Collective::Other;
    }
}

inline replay::FileOperation fileOperation(OTF2_IoOperationMode mode) {
    switch (mode) {
        case OTF2_IO_OPERATION_MODE_READ:
            return replay::FileOperation::Read;
        case OTF2_IO_OPERATION_MODE_WRITE:
            return replay::FileOperation::Write;
        case OTF2_IO_OPERATION_MODE_FLUSH:
            return replay::FileOperation::Flush;
        default:
            return replay::FileOperation::Other;
    }
}

/// From an event's values to the methods of `replay::LocationReplay` and its classes: maps references to
/// positions and timestamps to ticks since the trace's start. Exceptions of the replay are kept in `failure`,
/// because they must not travel through OTF2 or the decoder.
class EventDispatch {
  public:
    EventDispatch(const trace::Definitions& definitions, replay::LocationReplay& sink)
        : definitions_(definitions), sink_(sink), paths_(definitions) {}

    std::exception_ptr failure() const { return failure_; }

    /// How many events OTF2 did not count, because the file that it reads lacks them.
    void setLeftOut(std::uint64_t events) { leftOut_ = events; }

    /// What is called with this as its user.
    trace::EventHandlers handlers() const {
        trace::EventHandlers handlers;
        setCallHandlers(handlers);
        if (definitions_.attributeOfCallPaths) setCallPathHandlers(handlers);
        setMpiHandlers(handlers);
        setRmaHandlers(handlers);
        setThreadHandlers(handlers);
        setFileHandlers(handlers);
        setSkippedHandlers(handlers);
        return handlers;
    }

  private:
    using Self = EventDispatch;

    template <bool knowsPaths>
    static trace::CallsTaken onCalls(void* user, std::uint64_t first,
                                     std::span<const trace::PlainCall> calls);
    /// Passes on the first calls that nothing is special about, and says how many; none where they are too
    /// few to be worth it.
    template <bool knowsPaths>
    std::size_t passPlain(std::span<const trace::PlainCall> calls) {
        constexpr std::size_t kFew = 4;
        if (calls.size() < kFew) return 0;
        return sink_.calls().pass(calls.size(), [&](std::size_t i) {
            const trace::PlainCall& call = calls[i];
            trace::RegionId region = definitions_.regionOf.findOr(call.region, trace::kUndefinedRegion);
            if constexpr (knowsPaths)
                if (call.isEnter && !isWithoutPath(call.region, region)) region = trace::kUndefinedRegion;
            return replay::PlainCalls::Call{ticks(call.time), region, call.isEnter};
        });
    }
    /// In a trace that knows the calls that led to events, those to this function, which a compiler tells of,
    /// are unknown.
    bool isWithoutPath(OTF2_RegionRef reference, trace::RegionId region) const {
        return definitions_.arePathsPredicted && paths_.areNeverKnown(reference) &&
               definitions_[region].paradigm == trace::Paradigm::Compiler;
    }
    // Events that a method of the replay's classes takes with the values that they have.
    template <auto note, class... Request>
    static OTF2_CallbackCode onMessage(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                       OTF2_AttributeList*, std::uint32_t peer, OTF2_CommRef comm,
                                       std::uint32_t tag, std::uint64_t bytes, Request... request) {
        return guarded(user, event, [&](Self& self) {
            self.withComm(comm, event, time, [&](std::uint32_t known) {
                (self.sink_.messages().*note)(event, self.ticks(time), {peer, known, tag, bytes}, request...);
            });
        });
    }
    template <auto note>
    static OTF2_CallbackCode onRequest(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                       OTF2_AttributeList*, std::uint64_t request) {
        return guarded(user, event,
                       [&](Self& self) { (self.sink_.messages().*note)(event, self.ticks(time), request); });
    }
    static OTF2_CallbackCode onCollectiveBegin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event,
                                               void* user, OTF2_AttributeList*) {
        return guarded(user, event,
                       [&](Self& self) { self.sink_.messages().beginCollective(event, self.ticks(time)); });
    }
    template <auto note>
    static OTF2_CallbackCode onThread(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                      OTF2_AttributeList*, OTF2_CommRef contingent, std::uint64_t number) {
        return guarded(user, event, [&](Self& self) {
            (self.sink_.threads().*note)(event, self.ticks(time), self.commOrNone(contingent), number);
        });
    }
    template <auto note>
    static OTF2_CallbackCode onTask(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                    OTF2_AttributeList* attributes, OTF2_CommRef team, std::uint32_t creator,
                                    std::uint32_t generation) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            (self.sink_.calls().*note)(event, self.ticks(time), {self.commOrNone(team), creator, generation});
        });
    }
    template <bool isAcquired>
    static OTF2_CallbackCode onLock(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                    OTF2_AttributeList* attributes, OTF2_Paradigm paradigm,
                                    std::uint32_t lock, std::uint32_t order) {
        return guarded(user, event, [&](Self& self) {
            if (self.definitions_.attributeOfShortage) self.shortage(attributes, time);
            self.sink_.calls().lock(event, self.ticks(time),
                                    {lock, order, paradigm != OTF2_PARADIGM_NONE, isAcquired});
        });
    }
    static void setCallHandlers(trace::EventHandlers& handlers);
    static void setCallPathHandlers(trace::EventHandlers& handlers);
    static void setMpiHandlers(trace::EventHandlers& handlers);
    static void setRmaHandlers(trace::EventHandlers& handlers);
    static void setThreadHandlers(trace::EventHandlers& handlers);
    static void setFileHandlers(trace::EventHandlers& handlers);
    static void setSkippedHandlers(trace::EventHandlers& handlers);

    void leftOut(const char* what, std::uint64_t event, OTF2_TimeStamp time) {
        sink_.calls().complain(Trouble::NotAnalyzed, std::string(what) + " were left out", event,
                               ticks(time));
    }

    template <class Work>
    static OTF2_CallbackCode guarded(void* user, std::uint64_t& event, Work&& work) {
        auto& self = *static_cast<Self*>(user);
        event += self.leftOut_;
        try {
            work(self);
            return OTF2_CALLBACK_SUCCESS;
        } catch (...) {
            self.failure_ = std::current_exception();
            return OTF2_CALLBACK_INTERRUPT;
        }
    }

    trace::Ticks ticks(OTF2_TimeStamp time) const {
        return static_cast<trace::Ticks>(time - definitions_.clock.globalOffset);
    }

    trace::RegionId region(OTF2_RegionRef reference, std::uint64_t event) {
        const trace::RegionId found = definitions_.regionOf.findOr(reference, trace::kUndefinedRegion);
        if (found == trace::kUndefinedRegion) [[unlikely]]
            complainOfRegion(event);
        return found;
    }
    /// Apart, so that the compiler puts the rest into the callbacks for enter and leave.
    [[gnu::cold, gnu::noinline]] void complainOfRegion(std::uint64_t event) {
        sink_.calls().complain(Trouble::MissingDefinition, "an event names a region that is not defined",
                               event, sink_.calls().now());
    }

    std::optional<trace::ContextId> context(OTF2_CallingContextRef reference, std::uint64_t event) {
        const auto known = definitions_.callingContextOf.find(reference);
        if (!known)
            sink_.calls().complain(Trouble::MissingDefinition,
                                   "an event names a calling context that is not defined", event,
                                   sink_.calls().now());
        return known;
    }

    /// The calls that led into a region.
    trace::ContextId callPath(OTF2_RegionRef region, const OTF2_AttributeList* attributes,
                              std::uint64_t event) {
        return paths_.of(region, attributes, [&](OTF2_CallingContextRef told) {
            return context(told, event).value_or(trace::kNoContext);
        });
    }

    /// The number of a task that may go on on another worker; nothing for other regions.
    std::optional<std::uint64_t> movingTask(trace::RegionId region,
                                            const OTF2_AttributeList* attributes) const {
        if (!definitions_.attributeOfTasks) return std::nullopt;
        if (definitions_[region].role != trace::Role::Task) return std::nullopt;
        return trace::numberIn(attributes, definitions_.attributeOfTasks);
    }
    trace::Ticks ticksOfNanoseconds(std::uint64_t nanoseconds) const {
        return trace::ticksOfNanoseconds(nanoseconds, definitions_);
    }
    /// The thread had no processor for a while before the event that comes.
    void shortage(const OTF2_AttributeList* attributes, OTF2_TimeStamp time) {
        if (OTF2_AttributeList_GetNumberOfElements(attributes) == 0) [[likely]]
            return;
        const auto ticksOf = [&](const std::optional<std::uint32_t>& attribute) {
            return ticksOfNanoseconds(trace::numberIn(attributes, attribute).value_or(0));
        };
        const replay::TimeOff off{ticksOf(definitions_.attributeOfShortage),
                                  ticksOf(definitions_.attributeOfTimeOff)};
        if (!off.isNone()) sink_.calls().withoutProcessor(off, ticks(time));
    }
    /// The timeout of the call that is left next ended its wait.
    void timeout(std::uint64_t event, OTF2_TimeStamp time, const OTF2_AttributeList* attributes) {
        if (const auto since = trace::numberIn(attributes, definitions_.attributeOfTimeouts))
            sink_.threads().timedOut(event, ticks(time), ticksOfNanoseconds(*since));
    }
    /// What was entered last stands for several calls.
    void calls(const OTF2_AttributeList* attributes) {
        const auto calls = trace::numberIn(attributes, definitions_.attributeOfCalls);
        if (!calls || *calls < 2) return;
        const auto span = trace::numberIn(attributes, definitions_.attributeOfCallsSpan);
        const std::uint64_t known = span.value_or(0);
        const bool isPossible = known < std::uint64_t{replay::EventTimes::kLatest};
        sink_.calls().standsFor(*calls, isPossible ? static_cast<trace::Ticks>(known) : 0);
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
            sink_.calls().complain(Trouble::MissingDefinition,
                                   "an event of an undefined communicator or team was left out", event,
                                   ticks(time));
    }

    template <class Use>
    void withWindow(OTF2_RmaWinRef reference, std::uint64_t event, OTF2_TimeStamp time, Use&& use) {
        if (const auto known = definitions_.windowOf.find(reference))
            use(static_cast<std::uint32_t>(known->index()));
        else
            sink_.calls().complain(Trouble::MissingDefinition, "an event of an undefined window was left out",
                                   event, ticks(time));
    }

    void access(std::uint64_t event, OTF2_TimeStamp time, OTF2_RmaWinRef window, std::uint64_t operation,
                std::uint32_t target, std::uint64_t put, std::uint64_t got) {
        withWindow(window, event, time, [&](std::uint32_t known) {
            sink_.oneSided().access(event, ticks(time), {known, operation}, target, put, got);
        });
    }

    /// `kNone` where a process has the file for itself.
    std::uint32_t sharedFile(OTF2_IoHandleRef handle) const {
        const auto known = definitions_.sharedFileOf.find(handle);
        return known ? static_cast<std::uint32_t>(known->index()) : replay::kNone;
    }

    void onFile(std::uint64_t event, OTF2_TimeStamp time, OTF2_IoHandleRef handle,
                replay::Collective operation) {
        if (const std::uint32_t file = sharedFile(handle); file != replay::kNone)
            sink_.files().collective(event, ticks(time), file, operation);
    }

    /// The call that is left was about a file of which its attribute tells.
    void leaveFile(std::uint64_t event, OTF2_TimeStamp time, const OTF2_AttributeList* attributes) {
        const auto file = trace::attributeIn(attributes, definitions_.attributeOfFiles);
        if (file && file->type == OTF2_TYPE_IO_HANDLE)
            onFile(event, time, file->value.ioHandleRef, replay::Collective::FileChange);
    }

    void metric(std::uint64_t event, OTF2_TimeStamp time, OTF2_MetricRef metric, std::uint8_t count,
                const OTF2_MetricValue* values, std::optional<trace::ContextId> context) {
        const auto known = definitions_.metricClassOf.find(metric);
        if (!known) {
            sink_.calls().complain(Trouble::MissingDefinition, "values of an undefined metric were left out",
                                   event, ticks(time));
            return;
        }
        const auto& members = definitions_.metricClasses[known->index()].members;
        std::array<replay::CounterValue, 256> converted;
        for (std::uint8_t i = 0; i < count; ++i) {
            const bool real = i < members.size() &&
                              definitions_.metricMembers[members[i].index()].type == trace::MetricType::Real;
            if (real && !std::isfinite(values[i].floating_point))
                sink_.calls().complain(Trouble::DamagedFile,
                                       "values of a metric that are infinite or not a number were left out",
                                       event, ticks(time));
            if (real)
                converted[i].real = values[i].floating_point;
            else
                converted[i].integer = values[i].signed_int;
        }
        sink_.calls().metric(event, ticks(time), *known, converted.data(), count, context);
    }

    /// Counts as the values of its generator's metrics would.
    void sample(std::uint64_t event, OTF2_TimeStamp time, OTF2_CallingContextRef where,
                OTF2_InterruptGeneratorRef generator) {
        const auto samples = definitions_.samplesOf.find(generator);
        if (!samples)
            return sink_.calls().complain(Trouble::MissingDefinition,
                                          "samples of an undefined interrupt generator were left out", event,
                                          ticks(time));
        const auto known = context(where, event);
        static constexpr std::array<replay::CounterValue, 2> kOnce{{{.integer = 1}, {.integer = 1}}};
        sink_.calls().metric(event, ticks(time), *samples, kOnce.data(), kOnce.size(), known);
    }

    replay::CollectiveRecord collective(std::uint64_t event, OTF2_TimeStamp time, OTF2_CollectiveOp operation,
                                        OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                        std::uint64_t received, const OTF2_AttributeList* attributes) {
        replay::CollectiveRecord record;
        if (definitions_.attributeOfAll) [[unlikely]] {
            const auto all = trace::attributeIn(attributes, definitions_.attributeOfAll);
            record.comesFromAll = all && all->type == OTF2_TYPE_UINT8 && all->value.uint8 != 0;
        }
        record.operation = collectiveOperation(operation);
        record.comm = commOrNone(comm);
        static_assert(replay::kNone == OTF2_COLLECTIVE_ROOT_NONE &&
                      replay::kRootSelf == OTF2_COLLECTIVE_ROOT_SELF);
        record.root = root;
        record.sent = sent;
        record.received = received;
        if (record.comm == replay::kNone && record.operation != replay::Collective::Other)
            sink_.calls().complain(
                Trouble::MissingDefinition,
                "a collective operation on an undefined communicator counts without waiting time", event,
                ticks(time));
        return record;
    }

    const trace::Definitions& definitions_;
    replay::LocationReplay& sink_;
    trace::EnterPaths paths_;
    std::exception_ptr failure_;
    std::uint64_t leftOut_ = 0;
};

}  // namespace holos::analyzer::delivery
