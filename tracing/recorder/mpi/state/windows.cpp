// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/windows.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/traffic.h"

namespace holos::tracing::mpi {
namespace {

struct Operation {
    std::uint64_t number;
    int target;
    bool isCompleteHere;
};

/// Whether an operation is at a target, or at any.
struct IsAt {
    int target;
    bool operator()(const Operation& one) const noexcept {
        return target == kAllTargets || one.target == target;
    }
};

struct Window {
    WinRef ref = 0;
    CommRef members = 0;
    bool isAllocated = false;
    GroupRef epochs[2] = {};
    std::vector<Operation> open;
};

struct Registry {
    std::mutex mutex;
    std::unordered_map<MPI_Win, Window> windows;
    std::uint32_t nextNumber = 0;
    std::uint64_t lastOperation = 0;
};

/// Never destroyed: threads may still communicate while the process ends.
Registry& registry() {
    static auto* const kRegistry = new Registry;
    return *kRegistry;
}

/// Calls `work(window)` under the lock, where the window is known.
template <class Work>
void with(MPI_Win win, Work work) {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().windows.find(win);
    if (found != registry().windows.end()) work(found->second);
}

void completeHere(Operation& operation, WinRef ref) {
    if (!operation.isCompleteHere) rmaCompleteHere(ref, operation.number);
    operation.isCompleteHere = true;
}

}  // namespace

WinRef windowOf(MPI_Win win) noexcept {
    WinRef ref = 0;
    with(win, [&](const Window& window) { ref = window.ref; });
    return ref;
}

WinRef agreeOnWin(MPI_Win win, MPI_Comm comm, bool isAllocated) noexcept {
    const CommRef members = refInWorld(comm);
    if (members == 0) return 0;
    std::uint32_t identity[2] = {0, 0};
    if (traffic::rankIn(comm) == 0) {
        const std::scoped_lock lock(registry().mutex);
        identity[0] = static_cast<std::uint32_t>(traffic::rankIn(MPI_COMM_WORLD));
        identity[1] = registry().nextNumber++;
    }
    PMPI_Bcast(identity, 2, MPI_UINT32_T, 0, comm);
    Window window;
    window.ref = defineWindow({identity[0], identity[1], members});
    window.members = members;
    window.isAllocated = isAllocated;
    const std::scoped_lock lock(registry().mutex);
    registry().windows[win] = window;
    return window.ref;
}

bool isAllocated(MPI_Win win) noexcept {
    bool result = false;
    with(win, [&](const Window& window) { result = window.isAllocated; });
    return result;
}

CommRef membersOf(MPI_Win win) noexcept {
    CommRef members = 0;
    with(win, [&](const Window& window) { members = window.members; });
    return members;
}

void forgetWindow(MPI_Win win) noexcept {
    const std::scoped_lock lock(registry().mutex);
    registry().windows.erase(win);
}

std::uint64_t newOperation(MPI_Win win, int target) noexcept {
    std::uint64_t number = 0;
    with(win, [&](Window& window) {
        number = ++registry().lastOperation;
        window.open.push_back({number, target, false});
    });
    return number;
}

void forgetOperation(MPI_Win win, std::uint64_t number) noexcept {
    with(win, [&](Window& window) {
        std::erase_if(window.open, [=](const Operation& one) { return one.number == number; });
    });
}

bool hasOperations(MPI_Win win, int target) noexcept {
    bool has = false;
    with(win, [&](const Window& window) {
        has = std::any_of(window.open.begin(), window.open.end(), IsAt{target});
    });
    return has;
}

void completeOperations(MPI_Win win, int target, bool remotely) noexcept {
    with(win, [&](Window& window) {
        const IsAt isMeant{target};
        for (Operation& operation : window.open) {
            if (!isMeant(operation)) continue;
            completeHere(operation, window.ref);
            if (remotely) rmaCompleteRemote(window.ref, operation.number);
        }
        if (remotely) std::erase_if(window.open, isMeant);
    });
}

void completeOperation(WinRef win, std::uint64_t number) noexcept {
    const std::scoped_lock lock(registry().mutex);
    for (auto& [handle, window] : registry().windows)
        if (window.ref == win)
            for (Operation& operation : window.open)
                if (operation.number == number) completeHere(operation, win);
}

void beginEpoch(MPI_Win win, Epoch epoch, MPI_Group group) noexcept {
    const std::vector<std::uint32_t> ranks = worldRanksOf(group);
    const GroupRef ref = defineGroup(ranks.data(), static_cast<std::uint32_t>(ranks.size()));
    with(win, [&](Window& window) {
        window.epochs[static_cast<std::size_t>(epoch)] = ref;
        rmaGroupSync(RmaSyncLevel::Process, window.ref, ref);
    });
}

GroupRef groupOf(MPI_Win win, Epoch epoch) noexcept {
    GroupRef ref = 0;
    with(win, [&](const Window& window) { ref = window.epochs[static_cast<std::size_t>(epoch)]; });
    return ref;
}

GroupRef endEpoch(MPI_Win win, Epoch epoch) noexcept {
    GroupRef ref = 0;
    with(win, [&](Window& window) { std::swap(ref, window.epochs[static_cast<std::size_t>(epoch)]); });
    return ref;
}

}  // namespace holos::tracing::mpi
