// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "tracing/core/events.h"
#include "tracing/mpi/traffic.h"
#include "tracing/mpi/world.h"

namespace holos::tracing::mpi {
namespace {

constexpr int kRounds = 100;
constexpr std::int64_t kNanoseconds = 500'000'000;  ///< for all processes together

/// What rank 0 answers.
struct Answer {
    std::int64_t nanoseconds;  ///< of its clock
    std::int64_t goesOn;       ///< another round follows
};

/// A number that processes have in common when they run on the same running system; 0 when it is not known.
std::uint64_t machine() {
    std::FILE* const file = std::fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file == nullptr) return 0;
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
        hash = (hash ^ static_cast<std::uint64_t>(c)) * 0x100000001B3U;
    std::fclose(file);
    return hash;
}

void answer(MPI_Comm comm, int process, std::int64_t nanoseconds) {
    const std::int64_t begin = clockNow();
    int go = 1;
    PMPI_Send(&go, 1, MPI_INT, process, 0, comm);
    for (int round = 1;; ++round) {
        PMPI_Recv(&go, 1, MPI_INT, process, 0, comm, MPI_STATUS_IGNORE);
        const std::int64_t now = clockNow();
        const Answer sent{now, round < kRounds && now - begin < nanoseconds};
        PMPI_Send(&sent, 2, MPI_INT64_T, process, 0, comm);
        if (sent.goesOn == 0) return;
    }
}

void ask(MPI_Comm comm) {
    int go = 1;
    PMPI_Recv(&go, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    std::int64_t offset = 0;
    std::uint64_t ticks = 0;
    for (Answer got{0, 1}; got.goesOn != 0;) {
        const std::uint64_t ticksBefore = clockTicks();
        const std::int64_t before = clockNow();
        PMPI_Send(&go, 1, MPI_INT, 0, 0, comm);
        PMPI_Recv(&got, 2, MPI_INT64_T, 0, 0, comm, MPI_STATUS_IGNORE);
        const std::int64_t trip = clockNow() - before;
        if (trip >= shortest) continue;
        shortest = trip;
        offset = got.nanoseconds - (before + trip / 2);
        ticks = ticksBefore;
    }
    // The true difference is anywhere within the round trip with equal probability.
    const double deviation = static_cast<double>(shortest) / std::sqrt(12.0);
    clockOffset(ticks, offset, deviation);
}

}  // namespace

void measureClockOffset(MPI_Comm comm) noexcept {
    const int own = traffic::rankIn(comm);
    const int size = traffic::processesIn(comm);
    const std::uint64_t here = machine();
    std::uint64_t there = here;
    PMPI_Bcast(&there, 1, MPI_UINT64_T, 0, comm);
    const int isElsewhere = own != 0 && (here == 0 || here != there);
    std::vector<int> elsewhere(own == 0 ? static_cast<std::size_t>(size) : 0);
    PMPI_Gather(&isElsewhere, 1, MPI_INT, elsewhere.data(), 1, MPI_INT, 0, comm);
    for (std::size_t process = 1; process < elsewhere.size(); ++process)
        if (elsewhere[process] != 0) answer(comm, static_cast<int>(process), kNanoseconds / size);
    if (isElsewhere != 0)
        ask(comm);
    else
        clockOffset(clockTicks(), 0, 0.0);
}

}  // namespace holos::tracing::mpi
