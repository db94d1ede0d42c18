// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/recorder/mpi/state/meetings.h"

/// Calls that make a communicator with processes of another world.
namespace holos::tracing::mpi {

template <class AnyComms>
class Spawn {
  public:
    Spawn(MPI_Comm local, int root, AnyComms& made) noexcept : local_(local), root_(root), made_(made) {}
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS && made_[0] != MPI_COMM_NULL) meetChildren(local_, root_, made_[0]);
    }

  private:
    MPI_Comm local_;
    int root_;
    AnyComms& made_;
};

template <class AnyComms>
class MeetAtPort {
  public:
    MeetAtPort(MPI_Comm local, int root, const char* port, bool accepts, AnyComms& made) noexcept
        : local_(local), root_(root), port_(port), accepts_(accepts), made_(made) {}
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS && made_[0] != MPI_COMM_NULL)
            meetAtPort(local_, root_, port_, accepts_, made_[0]);
    }

  private:
    MPI_Comm local_;
    int root_;
    const char* port_;
    bool accepts_;
    AnyComms& made_;
};

template <class AnyComms>
class Join {
  public:
    Join(int descriptor, AnyComms& made) noexcept : ends_(endsOf(descriptor)), made_(made) {}
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS && made_[0] != MPI_COMM_NULL) meetBySocket(ends_, made_[0]);
    }

  private:
    SocketEnds ends_;
    AnyComms& made_;
};

}  // namespace holos::tracing::mpi
