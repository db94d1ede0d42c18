// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/mpi_plugin.h"

#include <mpi.h>

#include <algorithm>

namespace {

/// MPI counts bytes with an `int`.
constexpr std::size_t kLargest = std::size_t{1} << 30U;

void sendBytes(int to, const char* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += kLargest)
        MPI_Send(data + done, static_cast<int>(std::min(kLargest, bytes - done)), MPI_BYTE, to, 0,
                 MPI_COMM_WORLD);
}

void receiveBytes(int from, char* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += kLargest)
        MPI_Recv(data + done, static_cast<int>(std::min(kLargest, bytes - done)), MPI_BYTE, from, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void finalize() {
    MPI_Finalize();
}

}  // namespace

/// Begins MPI; the calling thread alone may use it.
extern "C" __attribute__((visibility("default"))) HolosMpi holosMpiBegin() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    HolosMpi mpi{0, 1, 1, sendBytes, receiveBytes, finalize};
    MPI_Comm_rank(MPI_COMM_WORLD, &mpi.self);
    MPI_Comm_size(MPI_COMM_WORLD, &mpi.count);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, mpi.self, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &mpi.onThisMachine);
    MPI_Comm_free(&machine);
    return mpi;
}
