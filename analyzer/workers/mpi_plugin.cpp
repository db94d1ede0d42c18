// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/mpi_plugin.h"

#include <mpi.h>

#include <algorithm>

namespace {

/// MPI counts bytes with an `int`.
constexpr std::size_t kLargest = std::size_t{1} << 30U;

MPI_Comm ranks = MPI_COMM_NULL;

void sendBytes(int to, const char* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += kLargest)
        MPI_Send(data + done, static_cast<int>(std::min(kLargest, bytes - done)), MPI_BYTE, to, 0, ranks);
}

void receiveBytes(int from, char* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += kLargest)
        MPI_Recv(data + done, static_cast<int>(std::min(kLargest, bytes - done)), MPI_BYTE, from, 0, ranks,
                 MPI_STATUS_IGNORE);
}

void finalize() {
    MPI_Comm_free(&ranks);
    MPI_Finalize();
}

/// A launcher may have bound each rank to other processors.
cpu_set_t processorsOf(MPI_Comm machine) {
    cpu_set_t own;
    cpu_set_t all;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, machine);
    return all;
}

}  // namespace

/// Begins MPI; the calling thread alone may use it. Ranks are in the order of what each of them gives for
/// `self`.
extern "C" __attribute__((visibility("default"))) HolosMpi holosMpiBegin(int self) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_split(MPI_COMM_WORLD, 0, self, &ranks);
    HolosMpi mpi{0, 1, 1, {}, sendBytes, receiveBytes, finalize};
    MPI_Comm_rank(ranks, &mpi.self);
    MPI_Comm_size(ranks, &mpi.count);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, mpi.self, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &mpi.onThisMachine);
    mpi.processors = processorsOf(machine);
    MPI_Comm_free(&machine);
    return mpi;
}
