// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/next_function.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tracing/code/loaded/exported_symbols.h"
#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/interpose/pause.h"

namespace holos::tracing::interpose {
namespace {

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

bool isOurFile(const char* path) noexcept {
    constexpr const char* kBegin = "libholos-";
    const char* const slash = std::strrchr(path, '/');
    return std::strncmp(slash != nullptr ? slash + 1 : path, kBegin, std::strlen(kBegin)) == 0;
}

/// What the function at `resolver` chooses for this machine, called as dynamic linkers do: on x86-64 it looks
/// for itself, on the Arm 64-bit architecture it is told (System V ABI for that, "GNU indirect functions").
void* chosenBy(std::uint64_t resolver) noexcept {
    struct {
        unsigned long size;
        unsigned long abilities[2];
    } const machine{sizeof machine, {::getauxval(AT_HWCAP), ::getauxval(AT_HWCAP2)}};
    constexpr unsigned long kHasMore = 1UL << 62U;
    const auto resolve = reinterpret_cast<void* (*)(unsigned long, const void*)>(
        const_cast<unsigned char*>(code::bytesAt(resolver)));
    return resolve(machine.abilities[0] | kHasMore, &machine);
}

void* functionIn(const code::ExportedSymbols& library, const char* name) noexcept {
    const auto symbol = library.find(name);
    return symbol.isIndirect ? chosenBy(symbol.address)
                             : const_cast<unsigned char*>(code::bytesAt(symbol.address));
}

/// A function that is looked up in what came with the program, behind this library.
struct InProgram {
    const char* name;
    std::uint32_t left;  ///< libraries
    bool isBehind = false;
    void* found = nullptr;
};

int findInOne(dl_phdr_info* library, std::size_t, void* data) {
    InProgram& search = *static_cast<InProgram*>(data);
    if (search.left == 0) return 1;
    --search.left;
    const bool isBehind = search.isBehind;
    search.isBehind = isBehind || contains(*library, reinterpret_cast<std::uint64_t>(&findInOne));
    if (!isBehind || isOurFile(library->dlpi_name)) return 0;
    search.found = functionIn(code::ExportedSymbols(*library), search.name);
    return search.found != nullptr ? 1 : 0;
}

struct Loaded {
    code::ExportedSymbols symbols;
    const char* path;

    bool isNamed(const char* needed) const noexcept {
        const char* const slash = std::strrchr(path, '/');
        const bool isPath = std::strchr(needed, '/') != nullptr;
        return (symbols.name() != nullptr && std::strcmp(symbols.name(), needed) == 0) ||
               std::strcmp(slash != nullptr && !isPath ? slash + 1 : path, needed) == 0;
    }
    void* find(const char* name) const noexcept {
        return *path != '\0' && !isOurFile(path) ? functionIn(symbols, name) : nullptr;
    }
};

/// A function that is looked up in all that is loaded now.
class InProcess {
  public:
    InProcess(const char* name, const void* caller)
        : name_(name), caller_(reinterpret_cast<std::uint64_t>(caller)) {
        // Memory is taken before: an allocator has locks, too.
        std::uint32_t count = 0;
        constexpr std::uint32_t kMeanwhile = 16;
        ::dl_iterate_phdr(&countOne, &count);
        libraries_.reserve(count + kMeanwhile);
        scope_.reserve(count + kMeanwhile);
    }
    void* find() {
        ::dl_iterate_phdr(&findHeld, this);
        return found_;
    }

  private:
    /// The list of libraries is held as long as this runs, so that none goes away.
    static int findHeld(dl_phdr_info*, std::size_t, void* data) {
        InProcess& search = *static_cast<InProcess*>(data);
        ::dl_iterate_phdr(&addOne, data);
        search.found_ = search.findInScope();
        for (const Loaded& one : search.libraries_)
            if (search.found_ == nullptr) search.found_ = one.find(search.name_);
        return 1;
    }
    static int addOne(dl_phdr_info* library, std::size_t, void* data) {
        InProcess& search = *static_cast<InProcess*>(data);
        if (search.libraries_.size() == search.libraries_.capacity()) return 1;
        if (*library->dlpi_name != '\0' && contains(*library, search.caller_))
            search.scope_.push_back(search.libraries_.size());
        search.libraries_.push_back({code::ExportedSymbols(*library), library->dlpi_name});
        return 0;
    }
    /// In the library that calls and those that it needs, the nearest first.
    void* findInScope() {
        for (std::size_t i = 0; i < scope_.size(); ++i) {
            const Loaded& library = libraries_[scope_[i]];
            if (void* const found = library.find(name_); found != nullptr) return found;
            library.symbols.forEachNeeded([this](const char* needed) { addToScope(needed); });
        }
        return nullptr;
    }
    void addToScope(const char* needed) {
        const auto found =
            std::ranges::find_if(libraries_, [&](const Loaded& one) { return one.isNamed(needed); });
        const auto number = static_cast<std::size_t>(found - libraries_.begin());
        if (found != libraries_.end() && std::ranges::find(scope_, number) == scope_.end())
            scope_.push_back(number);
    }

    const char* name_;
    std::uint64_t caller_;
    std::vector<Loaded> libraries_;
    std::vector<std::size_t> scope_;  ///< numbers of them
    void* found_ = nullptr;
};

}  // namespace

bool isOurs(const void* address) noexcept {
    const char* const file = code::fileOf(address);
    return file != nullptr && isOurFile(file);
}

bool areOfOneLibrary(const void* one, const void* other) noexcept {
    const link_map* const library = code::libraryOf(one).map;
    return library != nullptr && library == code::libraryOf(other).map;
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

/// The recorder's own doing: nothing of it is recorded, nor seen in errno.
class Quietly {
  public:
    Quietly() noexcept : error_(errno) {}
    ~Quietly() { errno = error_; }
    Quietly(const Quietly&) = delete;
    Quietly& operator=(const Quietly&) = delete;

  private:
    Pause pause_;
    int error_;
};

struct Found {
    void* function = nullptr;
    bool isPermanent = false;  ///< its library stays as long as the process
};

/// Never by `dlsym`, which waits as long as another thread loads a library. That one may be in a constructor
/// of the library, and wait there for this thread.
Found search(const char* name, const void* caller) noexcept try {
    const std::uint32_t known = librariesOfProgram.load(std::memory_order_relaxed);
    InProgram first{name, known != 0 ? known : std::numeric_limits<std::uint32_t>::max()};
    ::dl_iterate_phdr(&findInOne, &first);
    if (first.found != nullptr) return {first.found, known != 0};
    return {InProcess(name, caller).find(), false};
} catch (...) {
    return {};  // there is no memory
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
    void* const found = search(name, caller).function;
    if (found != nullptr) remember(key, caller, found);
    return found;
}

void* NextFunction::find(const void* caller) noexcept {
    if (void* const known = remembered(this, caller); known != nullptr) return known;
    const Quietly quietly;
    const Found found = search(name_, caller);
    if (found.function == nullptr) return nullptr;
    if (found.isPermanent)
        known_.store(found.function, std::memory_order_relaxed);
    else
        remember(this, caller, found.function);
    return found.function;
}

namespace {

/// Code in libraries that are to stay, and are not held yet.
std::array<std::atomic<const void*>, 4> toBeHeld;

}  // namespace

void keepLibraryOf(const void* code) noexcept {
    for (std::atomic<const void*>& one : toBeHeld) {
        const void* known = nullptr;
        if (one.compare_exchange_strong(known, code) || areOfOneLibrary(known, code)) return;
    }
}

void holdKeptLibraries() noexcept {
    for (std::atomic<const void*>& one : toBeHeld) {
        const void* const code = one.exchange(nullptr);
        const char* const file = code != nullptr ? code::fileOf(code) : nullptr;
        if (file == nullptr || *file == '\0') continue;
        void* const handle = ::dlopen(file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        if (handle != nullptr) closeLibrary(handle);
    }
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
