// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/actions/messages.h"

#include <mutex>
#include <unordered_map>

namespace holos::tracing::mpi {
namespace {

struct Matched {
    std::mutex mutex;
    std::unordered_map<MPI_Message, MPI_Comm> comms;
};

Matched& matched() {
    static auto* const kMatched = new Matched;
    return *kMatched;
}

}  // namespace

void keepMatched(MPI_Message message, MPI_Comm comm) noexcept {
    if (message == MPI_MESSAGE_NO_PROC) return;  // of MPI_PROC_NULL: nothing will be received
    const std::scoped_lock lock(matched().mutex);
    matched().comms[message] = comm;
}

MPI_Comm takeMatched(MPI_Message message) noexcept {
    const std::scoped_lock lock(matched().mutex);
    const auto found = matched().comms.extract(message);
    return found.empty() ? MPI_COMM_NULL : found.mapped();
}

std::uint64_t bytesOf(const MPI_Status& status) noexcept {
    int bytes = 0;
    PMPI_Get_count(&status, MPI_BYTE, &bytes);
    if (bytes != MPI_UNDEFINED) return static_cast<std::uint64_t>(bytes);
    MPI_Count many = 0;
    PMPI_Get_elements_x(&status, MPI_BYTE, &many);
    return many > 0 ? static_cast<std::uint64_t>(many) : 0;
}

}  // namespace holos::tracing::mpi
