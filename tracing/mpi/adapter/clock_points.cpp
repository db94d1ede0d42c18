// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/mpi/adapter/clock_points.h"

#include <algorithm>

#include "tracing/core/clock_comparison.h"
#include "tracing/core/events.h"
#include "tracing/core/settings.h"
#include "tracing/mpi/state/traffic.h"
#include "tracing/mpi/state/world.h"

namespace holos::tracing::mpi {

bool areClocksCompared = false;

namespace {

/// What rank 0 decides and tells the others.
struct Decision {
    int isTime;
    int next;  ///< after so many calls it decides again
};

/// Calls on MPI_COMM_WORLD come one after the other, whichever threads make them.
MPI_Comm comm = MPI_COMM_NULL;  ///< of our own, as that of the other comparisons may be in use
std::int64_t interval = 0;
std::int64_t lastComparison = 0;
std::int64_t lastDecision = 0;
int untilDecision = 1;
int distance = 1;

void compare() {
    measureClockOffset(comm);
}

/// Often enough to be late by a small part of the interval, and seldom enough to cost nothing.
int nextDistance(std::int64_t now) {
    constexpr int kMost = 64;
    constexpr int kPart = 20;
    const bool isSoon = now - lastDecision < interval / kPart;
    return isSoon ? std::min(2 * distance, kMost) : std::max(distance / 2, 1);
}

Decision decide() {
    const std::int64_t now = clockNow();
    const Decision decision{now - lastComparison >= interval ? 1 : 0, nextDistance(now)};
    lastDecision = now;
    if (decision.isTime != 0) lastComparison = now;
    return decision;
}

}  // namespace

void clockPointsBegin() noexcept {
    interval = core::settings().clockOffsetsEvery;
    if (interval <= 0 || PMPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) return;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    lastComparison = lastDecision = clockNow();
    areClocksCompared = true;
}

void clockPointsEnd() noexcept {
    if (!areClocksCompared) return;
    areClocksCompared = false;
    PMPI_Comm_free(&comm);
}

void haveMet() noexcept {
    if (--untilDecision > 0) return;
    Decision decision{0, 1};
    if (traffic::rankIn(comm) == 0) decision = decide();
    if (PMPI_Bcast(&decision, sizeof decision, MPI_BYTE, 0, comm) != MPI_SUCCESS) {
        areClocksCompared = false;
        return;
    }
    untilDecision = distance = decision.next;
    if (decision.isTime != 0) compareClocks(&compare);
}

}  // namespace holos::tracing::mpi
