// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/files.h"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace holos::tracing::mpi {
namespace {

struct OpenFile {
    HandleRef handle = 0;
    RequestId split = 0;
};

struct Registry {
    std::mutex mutex;
    std::unordered_map<MPI_File, OpenFile> files;
    std::unordered_map<CommRef, std::uint32_t> openings;
};

/// Never destroyed: threads may still write while the process ends.
Registry& registry() {
    static auto* const kRegistry = new Registry;
    return *kRegistry;
}

}  // namespace

HandleRef handleOf(MPI_File file) noexcept {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().files.find(file);
    return found != registry().files.end() ? found->second.handle : 0;
}

std::uint32_t nextOpening(CommRef comm) noexcept {
    const std::scoped_lock lock(registry().mutex);
    return registry().openings[comm]++;
}

void rememberFile(MPI_File file, HandleRef handle) noexcept {
    const std::scoped_lock lock(registry().mutex);
    registry().files[file] = {handle, 0};
}

void forgetFile(MPI_File file) noexcept {
    const std::scoped_lock lock(registry().mutex);
    registry().files.erase(file);
}

void keepSplit(MPI_File file, RequestId operation) noexcept {
    const std::scoped_lock lock(registry().mutex);
    if (const auto found = registry().files.find(file); found != registry().files.end())
        found->second.split = operation;
}

RequestId takeSplit(MPI_File file) noexcept {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().files.find(file);
    return found != registry().files.end() ? std::exchange(found->second.split, 0) : 0;
}

}  // namespace holos::tracing::mpi
