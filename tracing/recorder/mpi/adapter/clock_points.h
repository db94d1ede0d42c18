// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/recorder/mpi/adapter/wrapper.h"

/// Clocks compared in between (`HOLOS_CLOCK_OFFSETS_EVERY`), where all processes are together anyway.
namespace holos::tracing::mpi {

/// Whether clocks are compared in between; the same in all processes.
extern bool areClocksCompared;

/// Counts a call in which all processes of MPI_COMM_WORLD have just met. Now and then they agree whether it
/// is time, and compare their clocks; all do so at the same call, as calls on a communicator have one order.
void haveMet() noexcept;

/// Around a blocking operation that no process leaves before all have entered it. Calls that fail do not
/// count: no process counts them then, or those that do not repeat it.
class MeetingPoint {
  public:
    explicit MeetingPoint(MPI_Comm comm) noexcept
        : isOne_(areClocksCompared && !isInOpenCall() && comm == MPI_COMM_WORLD) {}
    /// After the call's region was left, so that its time is its own.
    ~MeetingPoint() {
        if (isOne_ && hasMet_) haveMet();
    }
    MeetingPoint(const MeetingPoint&) = delete;
    MeetingPoint& operator=(const MeetingPoint&) = delete;

    /// Takes the call's result and gives it back.
    int returns(int result) noexcept {
        hasMet_ = result == MPI_SUCCESS;
        return result;
    }

  private:
    bool isOne_;
    bool hasMet_ = false;
};

}  // namespace holos::tracing::mpi
