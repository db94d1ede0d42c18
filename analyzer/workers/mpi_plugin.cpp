// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/mpi_plugin.h"

#include <mpi.h>

#include <algorithm>
#include <memory>

namespace {

/// MPI counts bytes with an `int`.
constexpr std::size_t kLargest = std::size_t{1} << 30U;

/// The ranks of the analysis, from the start of MPI to its end.
struct Ranks {
    explicit Ranks(int self) { MPI_Comm_split(MPI_COMM_WORLD, 0, self, &comm); }
    ~Ranks() { MPI_Comm_free(&comm); }
    Ranks(Ranks&&) = delete;

    MPI_Comm comm = MPI_COMM_NULL;
};

MPI_Comm commOf(void* ranks) {
    return static_cast<const Ranks*>(ranks)->comm;
}

void sendBytes(void* ranks, int to, const char* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += kLargest)
        MPI_Send(data + done, static_cast<int>(std::min(kLargest, bytes - done)), MPI_BYTE, to, 0,
                 commOf(ranks));
}

void receiveBytes(void* ranks, int from, char* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += kLargest)
        MPI_Recv(data + done, static_cast<int>(std::min(kLargest, bytes - done)), MPI_BYTE, from, 0,
                 commOf(ranks), MPI_STATUS_IGNORE);
}

void finalize(void* ranks) {
    delete static_cast<Ranks*>(ranks);
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
    auto ranks = std::make_unique<Ranks>(self);
    HolosMpi mpi{0, 1, 1, {}, ranks.get(), sendBytes, receiveBytes, finalize};
    MPI_Comm_rank(ranks->comm, &mpi.self);
    MPI_Comm_size(ranks->comm, &mpi.count);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(ranks->comm, MPI_COMM_TYPE_SHARED, mpi.self, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &mpi.onThisMachine);
    mpi.processors = processorsOf(machine);
    MPI_Comm_free(&machine);
    static_cast<void>(ranks.release());  // its owner is who calls `finish`
    return mpi;
}
