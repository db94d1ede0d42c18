// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/storage_guard.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/interpose/taken_signal.h"

namespace holos::tracing::core {
namespace {

using interpose::TakenSignal;

constinit TakenSignal busSignal(SIGBUS, TakenSignal::Manner::Programs);
std::atomic<bool> isGuarded{false};

enum class State : std::uint8_t { File, Changing, Memory };

struct Mapping {
    std::atomic<std::uintptr_t> begin{0};  ///< 0: free
    std::atomic<std::size_t> bytes{0};     ///< 0 while it is being entered
    std::atomic<State> state{State::File};

    bool has(std::uintptr_t address) const noexcept {
        const std::uintptr_t from = begin.load(std::memory_order_acquire);
        return from != 0 && address >= from && address - from < bytes.load(std::memory_order_acquire);
    }
};

/// Never freed: who looks through all of them takes no lock.
struct Block {
    std::array<Mapping, 512> mappings;
    std::atomic<Block*> next{nullptr};
};
constinit Block first{};

/// The first one for which `is` holds; null where there is none.
template <class Is>
Mapping* find(const Is& is) noexcept {
    for (Block* block = &first; block != nullptr; block = block->next.load(std::memory_order_acquire))
        for (Mapping& one : block->mappings)
            if (is(one)) return &one;
    return nullptr;
}

void addBlock() noexcept {
    void* const memory = allocate(sizeof(Block));
    if (memory == nullptr) return;
    auto* const made = new (memory) Block;
    Block* last = &first;
    for (Block* none = nullptr; !last->next.compare_exchange_strong(none, made); none = nullptr)
        last = last->next.load();
}

/// What cannot be read is zero.
void copyPages(char* to, std::uintptr_t from, std::size_t bytes) noexcept {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (std::size_t at = 0; at < bytes; at += page) {
        const iovec here{to + at, page};
        const iovec there{reinterpret_cast<void*>(from + at), page};  // NOLINT(performance-no-int-to-ptr)
        ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0);
    }
}

/// Memory in place of the file, at once. Shared, as the file was: children tell their parent something there.
bool putMemory(std::uintptr_t begin, std::size_t bytes) noexcept {
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    copyPages(static_cast<char*>(memory), begin, bytes);
    void* const place = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
    return ::mremap(memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
}

/// False where the fault has another reason.
bool replace(Mapping& mapping) noexcept {
    State state = State::File;
    if (!mapping.state.compare_exchange_strong(state, State::Changing)) {
        if (state == State::Memory) return false;
        while (mapping.state.load(std::memory_order_acquire) == State::Changing) continue;
        return mapping.state.load() == State::Memory;
    }
    const bool good = putMemory(mapping.begin.load(), mapping.bytes.load());
    mapping.state.store(good ? State::Memory : State::File, std::memory_order_release);
    return good;
}

/// What the handler does itself may meet another part of the file.
void letSignalThrough() noexcept {
    sigset_t only;
    ::sigemptyset(&only);
    ::sigaddset(&only, SIGBUS);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

bool isRepaired(const siginfo_t& info) noexcept {
    if (info.si_code != BUS_ADRERR || !mayAskKernel()) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
    Mapping* const mapping = find([&](const Mapping& one) { return one.has(address); });
    if (mapping == nullptr || !replace(*mapping)) return false;
    letSignalThrough();
    fail(EIO);
    return true;
}

void handle(int, siginfo_t* info, void* context) {
    const int saved = errno;
    const bool isOurs = isRepaired(*info);
    errno = saved;
    if (!isOurs) busSignal.passOn(info, context);
}

}  // namespace

void guardStorage() noexcept {
    const int saved = errno;
    isGuarded.store(busSignal.take(&handle));
    errno = saved;
}

void guardMapping(void* begin, std::size_t bytes) noexcept {
    if (!isGuarded.load(std::memory_order_relaxed)) return;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const auto take = [&](Mapping& one) {
        std::uintptr_t none = 0;
        return one.begin.load(std::memory_order_relaxed) == 0 &&
               one.begin.compare_exchange_strong(none, address);
    };
    Mapping* mine = find(take);
    if (mine == nullptr) {
        addBlock();
        mine = find(take);
    }
    if (mine == nullptr) return;
    mine->state.store(State::File, std::memory_order_relaxed);
    mine->bytes.store(bytes, std::memory_order_release);
}

void forgetMapping(void* begin) noexcept {
    if (!isGuarded.load(std::memory_order_relaxed)) return;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    Mapping* const mine = find([&](const Mapping& one) { return one.begin.load() == address; });
    if (mine == nullptr) return;
    mine->bytes.store(0, std::memory_order_relaxed);
    mine->begin.store(0, std::memory_order_release);
}

}  // namespace holos::tracing::core
