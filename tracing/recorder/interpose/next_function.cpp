// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/next_function.h"

#include <dlfcn.h>

#include <array>
#include <cerrno>

#include "tracing/recorder/interpose/lookup_scopes.h"
#include "tracing/recorder/interpose/pause.h"

namespace holos::tracing::interpose {
namespace {

std::atomic<std::uint32_t> unloads{0};

/// One call's function. Odd sequences mean that a thread writes; who reads in between reads nothing.
struct Slot {
    std::atomic<std::uint32_t> sequence{0};
    std::atomic<std::uint32_t> unloads{0};
    std::atomic<const void*> key{nullptr};
    std::atomic<const void*> caller{nullptr};
    std::atomic<void*> found{nullptr};
};
constexpr unsigned kBits = 10;
std::array<Slot, std::size_t{1} << kBits> slots;

Slot& slotOf(const void* key, const void* caller) {
    const auto hash = reinterpret_cast<std::uint64_t>(key) * 31 + reinterpret_cast<std::uint64_t>(caller);
    return slots[(hash * 0x9E3779B97F4A7C15U) >> (64 - kBits)];
}

/// The recorder's own doing: nothing of it is recorded, nor seen in errno. An error of ours is not left for
/// the program's `dlerror`.
class Quietly {
  public:
    Quietly() noexcept : error_(errno) {}
    ~Quietly() {
        ::dlerror();
        errno = error_;
    }
    Quietly(const Quietly&) = delete;
    Quietly& operator=(const Quietly&) = delete;

  private:
    Pause pause_;
    int error_;
};

void* findInGlobalScope(const char* name, const char* version) {
    void* const found = ::dlsym(RTLD_NEXT, name);
    // Libraries in front of the C library, such as ThreadSanitizer's, have the function without a version.
    void* const versioned = version != nullptr ? ::dlvsym(RTLD_NEXT, name, version) : nullptr;
    void* const chosen = areOfOneLibrary(found, versioned) ? versioned : found;
    return chosen != nullptr && !isOurs(chosen) ? chosen : nullptr;
}

void* search(const char* name, const char* version, const void* caller) noexcept try {
    if (void* const found = findInGlobalScope(name, version); found != nullptr) return found;
    if (void* const found = findInScopeOf(caller, name); found != nullptr) return found;
    return findAnywhere(name);
} catch (...) {
    return nullptr;  // there is no memory
}

}  // namespace

void* remembered(const void* key, const void* caller) noexcept {
    constexpr auto kRelaxed = std::memory_order_relaxed;
    const Slot& slot = slotOf(key, caller);
    const std::uint32_t before = slot.sequence.load(std::memory_order_acquire);
    const bool isIt = slot.key.load(kRelaxed) == key && slot.caller.load(kRelaxed) == caller &&
                      slot.unloads.load(kRelaxed) == unloads.load(kRelaxed);
    void* const found = slot.found.load(kRelaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    return isIt && before % 2 == 0 && slot.sequence.load(kRelaxed) == before ? found : nullptr;
}

void remember(const void* key, const void* caller, void* found) noexcept {
    constexpr auto kRelaxed = std::memory_order_relaxed;
    Slot& slot = slotOf(key, caller);
    std::uint32_t before = slot.sequence.load(kRelaxed);
    if (before % 2 != 0 || !slot.sequence.compare_exchange_strong(before, before + 1, kRelaxed)) return;
    std::atomic_thread_fence(std::memory_order_release);
    slot.key.store(key, kRelaxed);
    slot.caller.store(caller, kRelaxed);
    slot.unloads.store(unloads.load(kRelaxed), kRelaxed);
    slot.found.store(found, kRelaxed);
    slot.sequence.store(before + 2, std::memory_order_release);
}

void forgetFound() noexcept {
    unloads.fetch_add(1, std::memory_order_relaxed);
}

void* findLikeCaller(const void* key, const char* name, const void* caller) noexcept {
    if (void* const known = remembered(key, caller); known != nullptr) return known;
    const Quietly quietly;
    void* const found = search(name, nullptr, caller);
    if (found != nullptr) remember(key, caller, found);
    return found;
}

void* NextFunction::find(const void* caller) noexcept {
    if (void* const known = remembered(this, caller); known != nullptr) return known;
    const Quietly quietly;
    void* const found = search(name_, version_, caller);
    if (found == nullptr) return nullptr;
    if (isPermanent(found))
        known_.store(found, std::memory_order_relaxed);
    else
        remember(this, caller, found);
    return found;
}

int closeLibrary(void* handle) noexcept {
    static constinit NextFunction next("dlclose");
    void* const found = next.behind(nullptr);
    return found != nullptr ? reinterpret_cast<int (*)(void*)>(found)(handle) : -1;
}

}  // namespace holos::tracing::interpose

void* holos_next_begin_catch(const void* caller) {
    using namespace holos::tracing::interpose;
    static constinit NextFunction next("__cxa_begin_catch");
    return next.behind(caller);
}
