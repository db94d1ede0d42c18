// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {

/// A trace of processes that share one window, with whole calls of one-sided communication.
class WindowTrace {
  public:
    explicit WindowTrace(unsigned processes, unsigned threads = 1)
        : trace(processes, threads), window_(trace.window()) {
        forEachThread([](LocationScript& script) { script.enter(0, "main"); });
    }
    Findings findings(const analyzer::AnalysisOptions& options = {}, Tick end = 30) {
        forEachThread([end](LocationScript& script) { script.leave(end); });
        return Findings(trace, options);
    }

    void collective(unsigned rank, Tick begin, Tick end, OTF2_CollectiveOp operation, const char* region) {
        const auto from = trace.timestamp(begin);
        const auto to = trace.timestamp(end);
        call(rank, begin, end, region, [=, window = window_](auto* out) {
            OTF2_EvtWriter_RmaCollectiveBegin(out, nullptr, from);
            return OTF2_EvtWriter_RmaCollectiveEnd(out, nullptr, to, operation, OTF2_RMA_SYNC_LEVEL_PROCESS,
                                                   window, OTF2_UNDEFINED_UINT32, 0, 0);
        });
    }
    void fence(unsigned rank, Tick begin, Tick end) {
        collective(rank, begin, end, OTF2_COLLECTIVE_OP_BARRIER, "MPI_Win_fence");
    }
    /// MPI_Win_start, _complete, _post and _wait with other processes.
    void sync(unsigned rank, Tick begin, Tick end, const char* region, std::vector<std::uint64_t> others) {
        call(rank, begin, end, region, syncOf(begin, std::move(others)));
    }
    /// Of it the thread had no processor for so many ticks.
    void syncStarved(unsigned rank, Tick begin, Tick end, const char* region,
                     std::vector<std::uint64_t> others, Tick without) {
        trace.region(region, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION, "MPI"});
        trace.on(rank, thread)
            .enter(begin, region)
            .record(syncOf(begin, std::move(others)))
            .leaveStarved(end, without);
    }
    void put(unsigned rank, Tick begin, Tick end, unsigned target) {
        const auto time = trace.timestamp(begin);
        call(rank, begin, end, "MPI_Put", [=, window = window_](auto* out) {
            return OTF2_EvtWriter_RmaPut(out, nullptr, time, window, target, 16, 1);
        });
    }
    void get(unsigned rank, Tick begin, Tick end, unsigned target) {
        const auto time = trace.timestamp(begin);
        call(rank, begin, end, "MPI_Get", [=, window = window_](auto* out) {
            return OTF2_EvtWriter_RmaGet(out, nullptr, time, window, target, 16, 1);
        });
    }
    void lock(unsigned rank, Tick begin, Tick end, unsigned target,
              OTF2_LockType type = OTF2_LOCK_EXCLUSIVE) {
        const auto time = trace.timestamp(begin);
        call(rank, begin, end, "MPI_Win_lock", [=, window = window_](auto* out) {
            return OTF2_EvtWriter_RmaRequestLock(out, nullptr, time, window, target, 0, type);
        });
    }
    void unlock(unsigned rank, Tick begin, Tick end, unsigned target) {
        const auto time = trace.timestamp(end);
        call(rank, begin, end, "MPI_Win_unlock", [=, window = window_](auto* out) {
            return OTF2_EvtWriter_RmaReleaseLock(out, nullptr, time, window, target, 0);
        });
    }

    /// MPI_Rget, whose request one of the calls below completes.
    void requestGet(unsigned rank, Tick begin, Tick end, unsigned target, std::uint64_t operation) {
        const auto time = trace.timestamp(begin);
        call(rank, begin, end, "MPI_Rget", [=, window = window_](auto* out) {
            return OTF2_EvtWriter_RmaGet(out, nullptr, time, window, target, 16, operation);
        });
    }
    void complete(unsigned rank, Tick begin, Tick end, const char* region, std::uint64_t operation) {
        trace.region(region, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION, "MPI"});
        trace.on(rank, thread).enter(begin, region);
        completed(rank, end, operation);
        trace.on(rank, thread).leave(end);
    }
    void completed(unsigned rank, Tick tick, std::uint64_t operation) {
        const auto time = trace.timestamp(tick);
        trace.on(rank, thread).record([=, window = window_](auto* out) {
            return OTF2_EvtWriter_RmaOpCompleteNonBlocking(out, nullptr, time, window, operation);
        });
    }

    TraceBuilder trace;
    unsigned thread = 0;  ///< that makes the calls which follow

  private:
    LocationScript::Record syncOf(Tick tick, std::vector<std::uint64_t> others) {
        const auto time = trace.timestamp(tick);
        const auto group = trace.group(std::move(others));
        return [=, window = window_](auto* out) {
            return OTF2_EvtWriter_RmaGroupSync(out, nullptr, time, OTF2_RMA_SYNC_LEVEL_PROCESS, window,
                                               group);
        };
    }
    template <class Use>
    void forEachThread(Use&& use) {
        for (unsigned rank = 0; rank < trace.processes(); ++rank)
            for (unsigned one = 0; one < trace.threads(); ++one) use(trace.on(rank, one));
    }
    void call(unsigned rank, Tick begin, Tick end, const char* region, LocationScript::Record record) {
        const std::string_view name = region;
        const OTF2_RegionRole role = name == "MPI_Put" || name == "MPI_Get" || name == "MPI_Rget"
                                         ? OTF2_REGION_ROLE_RMA
                                         : OTF2_REGION_ROLE_FUNCTION;
        trace.region(region, {OTF2_PARADIGM_MPI, role, "MPI"});
        trace.on(rank, thread).enter(begin, region).record(std::move(record)).leave(end);
    }
    OTF2_RmaWinRef window_;
};

}  // namespace holos::testing
