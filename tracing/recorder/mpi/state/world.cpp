// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/world.h"

#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "tracing/recorder/core/clock_comparison.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/floating_point.h"
#include "tracing/recorder/mpi/state/clock_tree.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/meetings.h"
#include "tracing/recorder/mpi/state/traffic.h"

namespace holos::tracing::mpi {
namespace {

/// A communicator of our own, so that no message of the program can be taken for ours.
MPI_Comm clockComm = MPI_COMM_NULL;

void measure() {
    measureClockOffset(clockComm);
}

}  // namespace

void worldBegins() noexcept {
    defineWorld(agreeOnWorldId());
    meetParents();
    if (PMPI_Comm_dup(MPI_COMM_WORLD, &clockComm) != MPI_SUCCESS) return;
    measure();
    offerClockComparison(&measure);
    clockPointsBegin();
}

void worldEnds() noexcept {
    if (clockComm == MPI_COMM_NULL) return;
    clockPointsEnd();
    offerClockComparison(nullptr);
    measure();
    PMPI_Comm_free(&clockComm);
}

namespace {

/// PMIx (Open MPI 4, 5 and others), Open MPI before it, Slurm.
constexpr const char* kJobVariables[][2] = {
    {"PMIX_NAMESPACE", nullptr}, {"OMPI_MCA_ess_base_jobid", nullptr}, {"SLURM_JOB_ID", "SLURM_STEP_ID"}};

/// Spreads a number over all bits (SplitMix64's last step).
std::uint64_t mix(std::uint64_t number) {
    number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9U;
    number = (number ^ (number >> 27U)) * 0x94D049BB133111EBU;
    return number ^ (number >> 31U);
}

std::uint64_t numberOf(std::string_view text, std::uint64_t number) {
    for (const char letter : text) number = mix(number ^ static_cast<unsigned char>(letter));
    return number;
}

/// No other process has it: it is of this machine, this process and this moment. Never 0.
std::uint64_t newId() {
    const auto process = static_cast<std::uint64_t>(::getpid());
    const std::uint64_t moment = mix(clockTicks()) + static_cast<std::uint64_t>(clockNow());
    return mix(mix(machineNumber()) ^ mix(moment + (process << 40U))) | 1U;
}

}  // namespace

std::uint64_t agreeOnWorldId() noexcept {
    std::uint64_t id = traffic::rankIn(MPI_COMM_WORLD) == 0 ? newId() : 0;
    return PMPI_Bcast(&id, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD) == MPI_SUCCESS ? id : worldIdOfLauncher();
}

std::uint64_t worldIdOfLauncher() noexcept {
    for (const auto& [first, second] : kJobVariables) {
        const char* const job = std::getenv(first);
        if (job == nullptr || *job == '\0') continue;
        const char* const step = second != nullptr ? std::getenv(second) : nullptr;
        return numberOf(step != nullptr ? step : "", numberOf(job, 1)) | 1U;
    }
    return 0;
}

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
