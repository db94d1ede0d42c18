// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/recorder/mpi/actions/collectives.h"

/// Communicators whose processes stand in a grid.
namespace holos::tracing::mpi {

/// Defines the grid of a communicator that has one.
void defineGridOf(MPI_Comm comm) noexcept;

template <class AnyComms>
class NewGrid {
  public:
    NewGrid(MPI_Comm parent, AnyComms& made) noexcept : comm_(parent, made), made_(made) {}
    void finish(int result) const noexcept {
        comm_.finish(result);
        if (result == MPI_SUCCESS && made_[0] != MPI_COMM_NULL) defineGridOf(made_[0]);
    }

  private:
    NewComm<AnyComms> comm_;
    AnyComms& made_;
};

}  // namespace holos::tracing::mpi
