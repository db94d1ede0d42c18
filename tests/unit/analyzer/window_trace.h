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
    explicit WindowTrace(unsigned processes) : trace(processes), window_(trace.window()) {
        for (unsigned rank = 0; rank < processes; ++rank) trace.on(rank).enter(0, "main");
    }
    Findings findings(const analyzer::AnalysisOptions& options = {}, Tick end = 30) {
        for (unsigned rank = 0; rank < trace.processes(); ++rank) trace.on(rank).leave(end);
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
        const auto time = trace.timestamp(begin);
        const auto group = trace.group(std::move(others));
        call(rank, begin, end, region, [=, window = window_](auto* out) {
            return OTF2_EvtWriter_RmaGroupSync(out, nullptr, time, OTF2_RMA_SYNC_LEVEL_PROCESS, window,
                                               group);
        });
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

    TraceBuilder trace;

  private:
    void call(unsigned rank, Tick begin, Tick end, const char* region, LocationScript::Record record) {
        const std::string_view name = region;
        const OTF2_RegionRole role =
            name == "MPI_Put" || name == "MPI_Get" ? OTF2_REGION_ROLE_RMA : OTF2_REGION_ROLE_FUNCTION;
        trace.region(region, {OTF2_PARADIGM_MPI, role, "MPI"});
        trace.on(rank).enter(begin, region).record(std::move(record)).leave(end);
    }
    OTF2_RmaWinRef window_;
};

}  // namespace holos::testing
