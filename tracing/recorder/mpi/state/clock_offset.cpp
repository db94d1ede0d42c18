// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/clock_comparison.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/floating_point.h"
#include "tracing/recorder/mpi/state/clock_tree.h"
#include "tracing/recorder/mpi/state/traffic.h"
#include "tracing/recorder/mpi/state/world.h"

namespace holos::tracing::mpi {
namespace {

constexpr std::int64_t kNanoseconds = 500'000'000;  ///< for all processes together

class Talk : public ClockTalk {
  public:
    explicit Talk(MPI_Comm comm) : comm_(comm) {}

    std::int64_t now() override { return clockNow(); }
    std::uint64_t ticks() override { return clockTicks(); }
    void send(int process, const ClockMessage& message) override {
        PMPI_Send(&message, sizeof message, MPI_BYTE, process, 0, comm_);
    }
    ClockMessage receive(int process) override {
        ClockMessage message;
        PMPI_Recv(&message, sizeof message, MPI_BYTE, process, 0, comm_, MPI_STATUS_IGNORE);
        return message;
    }

  private:
    MPI_Comm comm_;
};

}  // namespace

void measureClockOffset(MPI_Comm comm) noexcept {
    const core::KeepFloatingPoint keep;
    Talk talk(comm);
    const ClockDifference own =
        compareInTree(talk, traffic::rankIn(comm), traffic::processesIn(comm), machineNumber(), kNanoseconds);
    clockOffset(own.ticks, own.nanoseconds, own.deviation);
}

}  // namespace holos::tracing::mpi
