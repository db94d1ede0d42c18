// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/next_function.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "tracing/recorder/interpose/pause.h"

namespace holos::tracing::interpose {
namespace {

/// A library that is loaded already; it stays at least as long as this.
class Library {
  public:
    explicit Library(const char* file) noexcept : handle_(::dlopen(file, RTLD_LAZY | RTLD_NOLOAD)) {}
    ~Library() {
        if (handle_ != nullptr) closeLibrary(handle_);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    /// In it or in one of those that it needs.
    void* find(const char* name) const noexcept {
        void* const found = handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
        return found != nullptr && !isOurs(found) ? found : nullptr;
    }

  private:
    void* handle_;
};

bool contains(const dl_phdr_info& library, std::uint64_t address) {
    for (int i = 0; i < library.dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = library.dlpi_phdr[i];
        const std::uint64_t begin = library.dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && address >= begin && address < begin + part.p_memsz) return true;
    }
    return false;
}

/// The linker keeps libraries in the order in which they came. 0: not known yet.
std::atomic<std::uint32_t> librariesOfProgram{0};

int countOne(dl_phdr_info*, std::size_t, void* count) {
    ++*static_cast<std::uint32_t*>(count);
    return 0;
}

__attribute__((constructor(101))) void countLibrariesOfProgram() {
    std::uint32_t count = 0;
    ::dl_iterate_phdr(&countOne, &count);
    librariesOfProgram.store(count, std::memory_order_relaxed);
}

struct Search {
    std::uint64_t address;
    std::uint32_t left;
    bool isFound;
};

int searchOne(dl_phdr_info* library, std::size_t, void* data) {
    Search& search = *static_cast<Search*>(data);
    if (search.left == 0) return 1;
    --search.left;
    search.isFound = contains(*library, search.address);
    return search.isFound ? 1 : 0;
}

}  // namespace

bool isOurs(const void* address) noexcept {
    constexpr const char* kBegin = "libholos-";
    Dl_info info{};
    if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return false;
    const char* const slash = std::strrchr(info.dli_fname, '/');
    return std::strncmp(slash != nullptr ? slash + 1 : info.dli_fname, kBegin, std::strlen(kBegin)) == 0;
}

bool areOfOneLibrary(const void* one, const void* other) noexcept {
    Dl_info ofOne{};
    Dl_info ofOther{};
    return one != nullptr && other != nullptr && ::dladdr(one, &ofOne) != 0 &&
           ::dladdr(other, &ofOther) != 0 && ofOne.dli_fbase == ofOther.dli_fbase;
}

std::vector<std::string> loadedFiles() {
    std::vector<std::string> files;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* context) {
            if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
                static_cast<std::vector<std::string>*>(context)->emplace_back(info->dlpi_name);
            return 0;
        },
        &files);
    return files;
}

void* findInScopeOf(const void* address, const char* name) {
    Dl_info info{};
    link_map* library = nullptr;
    if (address == nullptr ||
        ::dladdr1(address, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0)
        return nullptr;
    const bool hasScope = library->l_name != nullptr && *library->l_name != '\0' && !isOurs(address);
    return hasScope ? Library(library->l_name).find(name) : nullptr;
}

void* findAnywhere(const char* name) {
    for (const std::string& file : loadedFiles())
        if (void* const found = Library(file.c_str()).find(name); found != nullptr) return found;
    return nullptr;
}

bool isPermanent(const void* address) noexcept {
    Search search{reinterpret_cast<std::uint64_t>(address),
                  librariesOfProgram.load(std::memory_order_relaxed), false};
    ::dl_iterate_phdr(&searchOne, &search);
    return search.isFound;
}

namespace {

Dl_info ownInfo() {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&ownInfo), &info);
    return info;
}

bool areInGlobalScope(std::initializer_list<const char*> symbols) {
    return std::any_of(symbols.begin(), symbols.end(),
                       [](const char* symbol) { return dlsym(RTLD_NEXT, symbol) != nullptr; });
}

}  // namespace

LoadedLibraries::LoadedLibraries(std::initializer_list<const char*> symbols)
    : global_(areInGlobalScope(symbols)) {
    if (global_) return;
    for (const std::string& file : loadedFiles()) addIfItHas(symbols, file.c_str());
}

LoadedLibraries::LoadedLibraries(std::initializer_list<const char*> symbols, void* handle)
    : global_(areInGlobalScope(symbols)) {
    const link_map* library = nullptr;
    if (!global_ && dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&library)) == 0)
        addIfItHas(symbols, library->l_name);
}

void LoadedLibraries::addIfItHas(std::initializer_list<const char*> symbols, const char* file) {
    void* const handle = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) return;
    const bool has = std::any_of(symbols.begin(), symbols.end(), [handle](const char* symbol) {
        const void* const address = dlsym(handle, symbol);
        return address != nullptr && !isOurs(address);
    });
    if (has)
        handles_.push_back(handle);
    else
        closeLibrary(handle);
}

void* LoadedLibraries::find(const char* symbol) const noexcept {
    if (global_) return dlsym(RTLD_NEXT, symbol);
    for (void* handle : handles_)
        if (void* const address = dlsym(handle, symbol); address != nullptr && !isOurs(address))
            return address;
    return nullptr;
}

void LoadedLibraries::close() noexcept {
    for (void* handle : handles_) closeLibrary(handle);
    handles_.clear();
}

std::string ownFolder() {
    const std::string file = ownInfo().dli_fname != nullptr ? ownInfo().dli_fname : "";
    const std::size_t slash = file.rfind('/');
    return slash == std::string::npos ? "." : file.substr(0, slash);
}

}  // namespace holos::tracing::interpose

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
