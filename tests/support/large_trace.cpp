// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/large_trace.h"

#include <random>
#include <string>
#include <vector>

#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr Tick kLongestStep = 40;

/// Writes the events of one process, round by round.
class ProcessWriter {
  public:
    ProcessWriter(OTF2_EvtWriter* out, unsigned rank, const LargeTraceShape& shape,
                  const std::vector<OTF2_RegionRef>& functions, OTF2_TimeStamp begin)
        : out_(out), rank_(rank), shape_(shape), functions_(functions), random_(rank + 1), time_(begin) {}

    OTF2_ErrorCode write(OTF2_RegionRef main, OTF2_RegionRef send, OTF2_RegionRef recv) {
        const auto begin = time_;
        const auto roundLength = 2 * shape_.callsPerRound * kLongestStep + 100;
        enter(main);
        for (std::uint64_t round = 0; round < shape_.rounds; ++round) {
            calls();
            time_ = begin + (round + 1) * roundLength - 50 + rank_ % 8;
            exchange(send, recv);
        }
        time_ = begin + shape_.rounds * roundLength;
        leave(main);
        return result_;
    }

  private:
    void enter(OTF2_RegionRef region) { note(OTF2_EvtWriter_Enter(out_, nullptr, time_, region)); }
    void leave(OTF2_RegionRef region) { note(OTF2_EvtWriter_Leave(out_, nullptr, time_, region)); }
    void note(OTF2_ErrorCode code) {
        if (result_ == OTF2_SUCCESS) result_ = code;
    }

    /// A walk up and down the call tree: deeper or back, at random, and all the way back at the end.
    void calls() {
        std::vector<OTF2_RegionRef> open;
        std::uint64_t toOpen = shape_.callsPerRound;
        while (toOpen > 0 || !open.empty()) {
            const auto number = random_();
            time_ += 1 + number % kLongestStep;
            const bool deeper = open.empty() || (open.size() < shape_.depth && (number & 1024) != 0);
            if (toOpen > 0 && deeper) {
                open.push_back(functions_[(number >> 16) % functions_.size()]);
                enter(open.back());
                --toOpen;
            } else {
                leave(open.back());
                open.pop_back();
            }
        }
    }

    void exchange(OTF2_RegionRef send, OTF2_RegionRef recv) {
        const unsigned next = (rank_ + 1) % shape_.processes;
        const unsigned previous = (rank_ + shape_.processes - 1) % shape_.processes;
        enter(send);
        note(OTF2_EvtWriter_MpiSend(out_, nullptr, time_, next, kWorld, 0, 1024));
        time_ += 5;
        leave(send);
        enter(recv);
        time_ += 15;
        note(OTF2_EvtWriter_MpiRecv(out_, nullptr, time_, previous, kWorld, 0, 1024));
        leave(recv);
    }

    OTF2_EvtWriter* out_;
    unsigned rank_;
    const LargeTraceShape& shape_;
    const std::vector<OTF2_RegionRef>& functions_;
    std::minstd_rand random_;
    OTF2_TimeStamp time_;
    OTF2_ErrorCode result_ = OTF2_SUCCESS;
};

}  // namespace

std::filesystem::path writeLargeTrace(const std::filesystem::path& directory, const LargeTraceShape& shape) {
    TraceBuilder trace(shape.processes);
    trace.clock(1'000'000'000, 0);
    const auto main = trace.region("main");
    const auto send = trace.region("MPI_Send");
    const auto recv = trace.region("MPI_Recv");
    std::vector<OTF2_RegionRef> functions;
    for (unsigned i = 0; i < shape.regions; ++i)
        functions.push_back(trace.region("function" + std::to_string(i)));
    const auto begin = trace.timestamp(0);
    trace.timestamp(shape.rounds * (2 * shape.callsPerRound * kLongestStep + 100));  // the trace's length
    for (unsigned rank = 0; rank < shape.processes; ++rank)
        trace.on(rank).record([=, &shape, &functions](OTF2_EvtWriter* out) {
            return ProcessWriter(out, rank, shape, functions, begin).write(main, send, recv);
        });
    return trace.write(directory);
}

}  // namespace holos::testing
