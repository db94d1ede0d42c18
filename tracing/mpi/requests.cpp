// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/mpi/requests.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

namespace holos::tracing::mpi {
namespace {

constexpr int kNear = 16;
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

    /// The request that a call of this thread is about: the oldest that it started itself, else the oldest.
    Request* request(MPI_Request handle) {
        if (slots_.empty()) return nullptr;
        const std::uint32_t node = find(slots_[find(handle)]).node;
        return node != kNone ? &nodes_[node].request : nullptr;
    }

    /// The one that `request` finds.
    void remove(MPI_Request handle) {
        const std::size_t place = find(handle);
        Slot& slot = slots_[place];
        const auto [before, node] = find(slot);
        const std::uint32_t next = nodes_[node].next;
        (before == kNone ? slot.first : nodes_[before].next) = next;
        if (next == kNone) slot.last = before;
        nodes_[node].next = free_;
        free_ = node;
        if (slot.first == kNone) {
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
        pthread_t thread{};  ///< that started it
        std::uint32_t next = kNone;
    };
    struct InQueue {
        std::uint32_t before;
        std::uint32_t node;
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

    /// Looks at the first few: a long queue is that of one thread's sends.
    InQueue find(const Slot& slot) const {
        const pthread_t own = ::pthread_self();
        std::uint32_t before = kNone;
        std::uint32_t node = slot.first;
        for (int i = 0; i < kNear && node != kNone; ++i, before = node, node = nodes_[node].next)
            if (nodes_[node].thread == own) return {before, node};
        return {kNone, slot.first};
    }

    std::uint32_t newNode(const Request& request) {
        if (free_ == kNone) {
            nodes_.push_back({request, ::pthread_self(), kNone});
            return static_cast<std::uint32_t>(nodes_.size() - 1);
        }
        const std::uint32_t node = free_;
        free_ = nodes_[node].next;
        nodes_[node] = {request, ::pthread_self(), kNone};
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

/// Locks the handle's shard and calls `work(shard, the request or null)`.
template <class Work>
void withRequest(MPI_Request handle, Work work) {
    Shard& shard = shardOf(handle);
    shard.mutex.lock();
    work(shard, shard.request(handle));
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
    withRequest(handle, [&](Shard& shard, Request* request) {
        found = request != nullptr && request->active;
        if (!found) return;
        completed = *request;
        request->active = false;
        request->cancelled = false;
        if (!request->persistent) shard.remove(handle);
    });
    return found;
}

void changeRequest(MPI_Request handle, void (*change)(Request&, void*), void* context) noexcept {
    withRequest(handle, [&](Shard&, Request* request) {
        if (request != nullptr) change(*request, context);
    });
}

bool dropRequest(MPI_Request handle, Request& dropped) noexcept {
    bool found = false;
    withRequest(handle, [&](Shard& shard, const Request* request) {
        found = request != nullptr;
        if (!found) return;
        dropped = *request;
        shard.remove(handle);
    });
    return found;
}

}  // namespace holos::tracing::mpi
