// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/adapter/clock_points.h"

#include <algorithm>

#include "tracing/recorder/core/clock_comparison.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/state/traffic.h"
#include "tracing/recorder/mpi/state/world.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::mpi {

bool areClocksCompared = false;

namespace {

/// What rank 0 decides and tells the others.
struct Decision {
    int isTime;
    int next;  ///< after so many calls it decides again
};

/// When clocks are compared next.
///
/// Thread safety: calls on MPI_COMM_WORLD come one after the other, whichever threads make them.
class Comparisons {
  public:
    void begin(std::int64_t interval) noexcept {
        interval_ = interval;
        if (interval <= 0 || PMPI_Comm_dup(MPI_COMM_WORLD, &comm_) != MPI_SUCCESS) return;
        PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        lastComparison_ = lastDecision_ = clockNow();
        areClocksCompared = true;
    }
    void end() noexcept { PMPI_Comm_free(&comm_); }
    void haveMet() noexcept;
    MPI_Comm comm() const noexcept { return comm_; }

  private:
    Decision decide() noexcept;
    int nextDistance(std::int64_t now) const noexcept;

    MPI_Comm comm_ = MPI_COMM_NULL;  ///< of our own, as that of the other comparisons may be in use
    std::int64_t interval_ = 0;
    std::int64_t lastComparison_ = 0;
    std::int64_t lastDecision_ = 0;
    int untilDecision_ = 1;
    int distance_ = 1;
} comparisons;

void compare() {
    measureClockOffset(comparisons.comm());
}

/// Often enough to be late by a small part of the interval, and seldom enough to cost nothing.
int Comparisons::nextDistance(std::int64_t now) const noexcept {
    constexpr int kMost = 64;
    constexpr int kPart = 20;
    const bool isSoon = now - lastDecision_ < interval_ / kPart;
    return isSoon ? std::min(2 * distance_, kMost) : std::max(distance_ / 2, 1);
}

Decision Comparisons::decide() noexcept {
    const std::int64_t now = clockNow();
    const Decision decision{now - lastComparison_ >= interval_ ? 1 : 0, nextDistance(now)};
    lastDecision_ = now;
    if (decision.isTime != 0) lastComparison_ = now;
    return decision;
}

void Comparisons::haveMet() noexcept {
    if (--untilDecision_ > 0) return;
    Decision decision{0, 1};
    if (traffic::rankIn(comm_) == 0) decision = decide();
    if (PMPI_Bcast(&decision, sizeof decision, MPI_BYTE, 0, comm_) != MPI_SUCCESS) {
        areClocksCompared = false;
        return;
    }
    untilDecision_ = distance_ = decision.next;
    if (decision.isTime != 0) compareClocks(&compare);
}

}  // namespace

void clockPointsBegin() noexcept {
    comparisons.begin(core::settings().clockOffsetsEvery);
}

void clockPointsEnd() noexcept {
    if (!areClocksCompared) return;
    areClocksCompared = false;
    comparisons.end();
}

void haveMet() noexcept {
    comparisons.haveMet();
}

}  // namespace holos::tracing::mpi
