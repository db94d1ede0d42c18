// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/mpi/requests.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

namespace holos::tracing::mpi {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

/// Held for a few instructions only.
class SpinLock {
  public:
    void lock() noexcept {
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    void unlock() noexcept { flag_.clear(std::memory_order_release); }

  private:
    std::atomic_flag flag_;
};

/// A hash table with open addressing from handles to queues of requests.
class Shard {
  public:
    void add(MPI_Request handle, const Request& request) {
        if ((used_ + 1) * 2 > slots_.size()) grow();
        Slot& slot = slots_[find(handle)];
        if (slot.first == kNone) {
            slot.handle = handle;
            ++used_;
        }
        const std::uint32_t node = newNode(request);
        if (slot.first == kNone)
            slot.first = node;
        else
            nodes_[slot.last].next = node;
        slot.last = node;
    }

    Request* oldest(MPI_Request handle) {
        if (slots_.empty()) return nullptr;
        const Slot& slot = slots_[find(handle)];
        return slot.first != kNone ? &nodes_[slot.first].request : nullptr;
    }

    void removeOldest(MPI_Request handle) {
        const std::size_t place = find(handle);
        const std::uint32_t node = slots_[place].first;
        slots_[place].first = nodes_[node].next;
        nodes_[node].next = free_;
        free_ = node;
        if (slots_[place].first == kNone) {
            --used_;
            closeGap(place);
        }
    }

    SpinLock mutex;

  private:
    struct Slot {
        MPI_Request handle{};
        std::uint32_t first = kNone;
        std::uint32_t last = kNone;
    };
    struct Node {
        Request request;
        std::uint32_t next = kNone;
    };

    std::size_t home(MPI_Request handle) const {
        const std::size_t hash = std::hash<MPI_Request>{}(handle)*0x9E3779B97F4A7C15U;
        return (hash >> 20) & (slots_.size() - 1);
    }

    /// The handle's slot, or the empty one where it belongs.
    std::size_t find(MPI_Request handle) const {
        std::size_t place = home(handle);
        while (slots_[place].first != kNone && slots_[place].handle != handle)
            place = (place + 1) & (slots_.size() - 1);
        return place;
    }

    std::uint32_t newNode(const Request& request) {
        if (free_ == kNone) {
            nodes_.push_back({request, kNone});
            return static_cast<std::uint32_t>(nodes_.size() - 1);
        }
        const std::uint32_t node = free_;
        free_ = nodes_[node].next;
        nodes_[node] = {request, kNone};
        return node;
    }

    void grow() {
        std::vector<Slot> old(std::max<std::size_t>(slots_.size() * 2, 64));
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.first != kNone) slots_[find(slot.handle)] = slot;
    }

    /// Moves later slots of the same run into the gap, so that searches still find them.
    void closeGap(std::size_t gap) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t place = (gap + 1) & mask; slots_[place].first != kNone; place = (place + 1) & mask) {
            if (((place - home(slots_[place].handle)) & mask) < ((place - gap) & mask)) continue;
            slots_[gap] = slots_[place];
            slots_[place].first = kNone;
            gap = place;
        }
    }

    std::vector<Slot> slots_;
    std::vector<Node> nodes_;
    std::uint32_t free_ = kNone;
    std::size_t used_ = 0;
};

constexpr std::size_t kShards = 16;

Shard& shardOf(MPI_Request handle) {
    static auto* const kTable = new Shard[kShards];
    return kTable[(std::hash<MPI_Request>{}(handle)*0x9E3779B97F4A7C15U) >> 60];
}

/// Locks the handle's shard and calls `work(shard, oldest request or null)`.
template <class Work>
void withOldest(MPI_Request handle, Work work) {
    Shard& shard = shardOf(handle);
    shard.mutex.lock();
    work(shard, shard.oldest(handle));
    shard.mutex.unlock();
}

}  // namespace

void addRequest(MPI_Request handle, const Request& request) noexcept {
    Shard& shard = shardOf(handle);
    shard.mutex.lock();
    shard.add(handle, request);
    shard.mutex.unlock();
}

bool completeRequest(MPI_Request handle, Request& completed) noexcept {
    bool found = false;
    withOldest(handle, [&](Shard& shard, Request* oldest) {
        found = oldest != nullptr && oldest->active;
        if (!found) return;
        completed = *oldest;
        oldest->active = false;
        oldest->cancelled = false;
        if (!oldest->persistent) shard.removeOldest(handle);
    });
    return found;
}

void changeRequest(MPI_Request handle, void (*change)(Request&, void*), void* context) noexcept {
    withOldest(handle, [&](Shard&, Request* oldest) {
        if (oldest != nullptr) change(*oldest, context);
    });
}

bool dropRequest(MPI_Request handle, Request& dropped) noexcept {
    bool found = false;
    withOldest(handle, [&](Shard& shard, const Request* oldest) {
        found = oldest != nullptr;
        if (!found) return;
        dropped = *oldest;
        shard.removeOldest(handle);
    });
    return found;
}

}  // namespace holos::tracing::mpi
