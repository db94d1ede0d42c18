// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/allocations/allocations.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>

#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/next_function.h"

namespace holos::tracing::allocations {
namespace {

/// Never destroyed: blocks come and go while the program ends.
std::atomic<Blocks*> blocks{nullptr};
std::atomic_flag isInUse = ATOMIC_FLAG_INIT;

/// By a part of their addresses, how many blocks may be known: most that are freed are small, and known to
/// nobody.
constexpr std::size_t kKinds = 1U << 16U;
std::array<std::atomic<std::uint32_t>, kKinds> known{};

std::atomic<std::uint32_t>& knownLike(std::uint64_t address) noexcept {
    constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;
    return known[address * kMix >> 48U];
}

/// The table, for one thread at a time. Not for ever: in the child of a fork nobody may give it back.
class Held {
  public:
    Held() noexcept {
        constexpr unsigned kMostTries = 1U << 20U;
        unsigned tries = 0;
        while (isInUse.test_and_set(std::memory_order_acquire))
            if (++tries == kMostTries) return;
        isHeld_ = true;
    }
    ~Held() {
        if (isHeld_) isInUse.clear(std::memory_order_release);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    explicit operator bool() const noexcept { return isHeld_; }

  private:
    bool isHeld_ = false;
};

/// What the thread freed last.
constinit thread_local std::optional<Block> lastFreed __attribute__((tls_model("initial-exec")));

/// Whether the thread may use the table, which it has then. Nothing of it is the recorder's own doing.
template <class Use>
void withBlocks(Use use) noexcept {
    Blocks* const all = blocks.load(std::memory_order_acquire);
    core::Thread& thread = core::thisThread;
    const bool isOver = !core::recordingIsOpen.load(std::memory_order_relaxed);
    if (all == nullptr || isOver || (thread.state & core::Thread::kBusy) != 0) return;
    const int saved = errno;
    const core::Busy busy(thread);
    try {
        if (const Held held; held) use(*all);
    } catch (const std::exception&) {  // no memory: the block is not known
    }
    errno = saved;
}

std::uint64_t addressOf(const void* block) noexcept {
    return reinterpret_cast<std::uint64_t>(block);
}

}  // namespace

void watchBlocks() noexcept {
    try {
        blocks.store(new Blocks, std::memory_order_release);
    } catch (const std::exception& error) {
        trouble(error.what());
    }
}

std::optional<Block> blockAt(std::uint64_t address) noexcept {
    const Blocks* const all = blocks.load(std::memory_order_acquire);
    if (all == nullptr) return std::nullopt;
    const Held held;
    return held ? all->at(address) : std::nullopt;
}

}  // namespace holos::tracing::allocations

using namespace holos::tracing;
using namespace holos::tracing::allocations;

extern "C" void* holos_next_allocator(const char* name) {
    static constinit interpose::NextFunction all[] = {
        interpose::NextFunction("malloc"),         interpose::NextFunction("calloc"),
        interpose::NextFunction("realloc"),        interpose::NextFunction("free"),
        interpose::NextFunction("posix_memalign"), interpose::NextFunction("aligned_alloc"),
        interpose::NextFunction("memalign"),       interpose::NextFunction("mmap"),
        interpose::NextFunction("munmap"),         interpose::NextFunction("mremap")};
    for (interpose::NextFunction& one : all)
        if (std::strcmp(one.name(), name) == 0) return one.behind(nullptr);
    return nullptr;
}

extern "C" void holos_allocated(const void* block, std::size_t bytes, const void* frame) {
    if (block == nullptr || blocks.load(std::memory_order_relaxed) == nullptr) return;
    const PathRef path = stacks::callPathFrom(frame);
    withBlocks([&](Blocks& all) {
        all.add(addressOf(block), bytes, path);
        knownLike(addressOf(block)).fetch_add(1, std::memory_order_relaxed);
    });
}

extern "C" void holos_freed(const void* block) {
    if (block == nullptr || knownLike(addressOf(block)).load(std::memory_order_relaxed) == 0) return;
    withBlocks([&](Blocks& all) {
        lastFreed = all.remove(addressOf(block));
        if (lastFreed) knownLike(addressOf(block)).fetch_sub(1, std::memory_order_relaxed);
    });
}

extern "C" void holos_kept(const void* block) {
    if (!lastFreed || lastFreed->begin != addressOf(block)) return;
    withBlocks([&](Blocks& all) {
        all.restore(*lastFreed);
        knownLike(addressOf(block)).fetch_add(1, std::memory_order_relaxed);
    });
}

extern "C" void holos_unmapped(const void* begin, std::size_t bytes) {
    withBlocks([&](Blocks& all) { all.clear(addressOf(begin), addressOf(begin) + bytes); });
}
