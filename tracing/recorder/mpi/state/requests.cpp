// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/requests.h"

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

    /// The request that a call of this thread is about: the one that it claimed; or the oldest that it
    /// started itself, else the oldest.
    Request* request(MPI_Request handle, Claim claim) {
        if (slots_.empty()) return nullptr;
        const std::uint32_t node = find(slots_[find(handle)], claim).node;
        return node != kNone ? &nodes_[node].request : nullptr;
    }

    Claim claim(MPI_Request handle) {
        if (slots_.empty()) return 0;
        const std::uint32_t node = find(slots_[find(handle)], 0).node;
        if (node == kNone || nodes_[node].isClaimed) return 0;
        nodes_[node].isClaimed = true;
        return nodes_[node].number;
    }

    void release(MPI_Request handle, Claim claim) {
        const std::uint32_t node = find(slots_[find(handle)], claim).node;
        if (node != kNone && nodes_[node].number == claim) nodes_[node].isClaimed = false;
    }

    /// The one that `request` finds.
    void remove(MPI_Request handle, Claim claim) {
        const std::size_t place = find(handle);
        Slot& slot = slots_[place];
        const auto [before, node] = find(slot, claim);
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
        Claim number = 0;    ///< of this shard's requests
        bool isClaimed = false;
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

    InQueue find(const Slot& slot, Claim claim) const {
        const pthread_t own = ::pthread_self();
        const auto isOwn = [own](const Node& node) { return node.thread == own; };
        InQueue found{kNone, kNone};
        if (claim != 0) found = search(slot, [&](const Node& node) { return node.number == claim; });
        if (found.node == kNone)
            found = search(slot, [&](const Node& node) { return !node.isClaimed && isOwn(node); });
        if (found.node == kNone) found = search(slot, [](const Node& node) { return !node.isClaimed; });
        if (found.node == kNone) found = search(slot, isOwn);
        return found.node != kNone ? found : InQueue{kNone, slot.first};
    }

    /// Looks at the first few: a long queue is that of one thread's sends.
    template <class IsIt>
    InQueue search(const Slot& slot, IsIt&& isIt) const {
        std::uint32_t before = kNone;
        std::uint32_t node = slot.first;
        for (int i = 0; i < kNear && node != kNone; ++i, before = node, node = nodes_[node].next)
            if (isIt(nodes_[node])) return {before, node};
        return {kNone, kNone};
    }

    std::uint32_t newNode(const Request& request) {
        if (free_ == kNone) {
            nodes_.push_back({request, ::pthread_self(), ++numbers_, false, kNone});
            return static_cast<std::uint32_t>(nodes_.size() - 1);
        }
        const std::uint32_t node = free_;
        free_ = nodes_[node].next;
        nodes_[node] = {request, ::pthread_self(), ++numbers_, false, kNone};
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
    Claim numbers_ = 0;
};

constexpr std::size_t kShards = 16;

Shard& shardOf(MPI_Request handle) {
    static auto* const kTable = new Shard[kShards];
    return kTable[(std::hash<MPI_Request>{}(handle)*0x9E3779B97F4A7C15U) >> 60];
}

/// Locks the handle's shard and calls `work(shard, the request or null)`.
template <class Work>
void withRequest(MPI_Request handle, Claim claim, Work work) {
    Shard& shard = shardOf(handle);
    shard.mutex.lock();
    work(shard, shard.request(handle, claim));
    shard.mutex.unlock();
}

/// Whether more than one thread has had requests, this one included.
bool isOneOfSeveral() noexcept {
    static std::atomic<pthread_t> first{::pthread_self()};
    static std::atomic<bool> several{false};
    if (several.load(std::memory_order_relaxed)) return true;
    if (::pthread_equal(first.load(std::memory_order_relaxed), ::pthread_self()) != 0) return false;
    several.store(true, std::memory_order_relaxed);
    return true;
}

}  // namespace

void addRequest(MPI_Request handle, const Request& request) noexcept {
    isOneOfSeveral();
    Shard& shard = shardOf(handle);
    shard.mutex.lock();
    shard.add(handle, request);
    shard.mutex.unlock();
}

Claim claimRequest(MPI_Request handle) noexcept {
    if (!isOneOfSeveral()) return 0;
    Claim claim = 0;
    withRequest(handle, 0, [&](Shard& shard, const Request*) { claim = shard.claim(handle); });
    return claim;
}

void releaseRequest(MPI_Request handle, Claim claim) noexcept {
    withRequest(handle, claim, [&](Shard& shard, const Request*) { shard.release(handle, claim); });
}

bool completeRequest(MPI_Request handle, Claim claim, Request& completed) noexcept {
    bool found = false;
    withRequest(handle, claim, [&](Shard& shard, Request* request) {
        if (claim != 0) shard.release(handle, claim);
        found = request != nullptr && request->active;
        if (!found) return;
        completed = *request;
        request->active = false;
        request->cancelled = false;
        if (!request->persistent) shard.remove(handle, claim);
    });
    return found;
}

void changeRequest(MPI_Request handle, void (*change)(Request&, void*), void* context) noexcept {
    withRequest(handle, 0, [&](Shard&, Request* request) {
        if (request != nullptr) change(*request, context);
    });
}

bool dropRequest(MPI_Request handle, Claim claim, Request& dropped) noexcept {
    bool found = false;
    withRequest(handle, claim, [&](Shard& shard, const Request* request) {
        found = request != nullptr;
        if (!found) return;
        dropped = *request;
        shard.remove(handle, claim);
    });
    return found;
}

}  // namespace holos::tracing::mpi
