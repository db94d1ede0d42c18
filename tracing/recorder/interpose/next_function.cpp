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
    std::uint64_t begin;  ///< where something of it lies
    bool isBehind;        ///< it came with the program, behind this library
    bool calls;           ///< the code that asks is in it

    bool isNamed(const char* needed) const noexcept {
        const char* const slash = std::strrchr(path, '/');
        const bool isPath = std::strchr(needed, '/') != nullptr;
        return (symbols.name() != nullptr && std::strcmp(symbols.name(), needed) == 0) ||
               std::strcmp(slash != nullptr && !isPath ? slash + 1 : path, needed) == 0;
    }
    bool isLibrary() const noexcept { return *path != '\0' && !isOurFile(path); }
    void* find(const char* name) const noexcept { return isLibrary() ? functionIn(symbols, name) : nullptr; }
};

/// All that is loaded now.
class InProcess {
  public:
    explicit InProcess(const void* caller) : caller_(reinterpret_cast<std::uint64_t>(caller)) {
        // Memory is taken before: an allocator has locks, too.
        std::uint32_t count = 0;
        constexpr std::uint32_t kMeanwhile = 16;
        ::dl_iterate_phdr(&countOne, &count);
        libraries_.reserve(count + kMeanwhile);
        scope_.reserve(count + kMeanwhile);
    }
    /// Calls `use`, which takes no lock and no memory. None of the libraries goes away meanwhile.
    template <class Use>
    void whileHeld(Use use) {
        auto held = [&] {
            ::dl_iterate_phdr(&addOne, this);
            use();
        };
        ::dl_iterate_phdr(
            [](dl_phdr_info*, std::size_t, void* data) {
                (*static_cast<decltype(held)*>(data))();
                return 1;
            },
            &held);
    }
    const std::vector<Loaded>& all() const noexcept { return libraries_; }

    /// In the library that calls and those that it needs, the nearest first; else in all.
    void* find(const char* name) {
        for (std::size_t i = 0; i < libraries_.size(); ++i)
            if (libraries_[i].calls && *libraries_[i].path != '\0')
                if (void* const found = findWithin(i, name); found != nullptr) return found;
        for (const Loaded& one : libraries_)
            if (void* const found = one.find(name); found != nullptr) return found;
        return nullptr;
    }
    /// In that library and those that it needs.
    void* findWithin(std::size_t library, const char* name) {
        void* found = nullptr;
        forEachWithin(library, [&](const Loaded& one) { return (found = one.find(name)) != nullptr; });
        return found;
    }
    /// Calls `use` with that library and those that it needs, the nearest first, until it returns true.
    template <class Use>
    void forEachWithin(std::size_t library, Use use) {
        scope_.assign(1, library);
        for (std::size_t i = 0; i < scope_.size(); ++i) {
            const Loaded& one = libraries_[scope_[i]];
            if (use(one)) return;
            one.symbols.forEachNeeded([this](const char* needed) { addToScope(needed); });
        }
    }

  private:
    static int addOne(dl_phdr_info* library, std::size_t, void* data) {
        InProcess& search = *static_cast<InProcess*>(data);
        std::vector<Loaded>& all = search.libraries_;
        if (all.size() == all.capacity()) return 1;
        const std::uint32_t known = librariesOfProgram.load(std::memory_order_relaxed);
        const bool cameWithProgram = known == 0 || all.size() < known;
        all.push_back({code::ExportedSymbols(*library), library->dlpi_name,
                       library->dlpi_addr + library->dlpi_phdr->p_vaddr, search.ownIsPast_ && cameWithProgram,
                       contains(*library, search.caller_)});
        search.ownIsPast_ =
            search.ownIsPast_ || contains(*library, reinterpret_cast<std::uint64_t>(&findInOne));
        return 0;
    }
    void addToScope(const char* needed) {
        const auto found =
            std::ranges::find_if(libraries_, [&](const Loaded& one) { return one.isNamed(needed); });
        const auto number = static_cast<std::size_t>(found - libraries_.begin());
        if (found != libraries_.end() && std::ranges::find(scope_, number) == scope_.end())
            scope_.push_back(number);
    }

    std::uint64_t caller_;
    std::vector<Loaded> libraries_;
    std::vector<std::size_t> scope_;  ///< numbers of them
    bool ownIsPast_ = false;
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

namespace {

/// The first of these symbols that `find` finds.
template <class Find>
void* firstOf(std::initializer_list<const char*> symbols, Find find) {
    void* found = nullptr;
    for (const char* symbol : symbols)
        if (found == nullptr) found = find(symbol);
    return found;
}

}  // namespace

LoadedLibraries::LoadedLibraries(std::initializer_list<const char*> symbols, const void* within) noexcept {
    try {
        InProcess process(within);
        std::uint32_t count = 0;
        constexpr std::uint32_t kMeanwhile = 16;
        ::dl_iterate_phdr(&countOne, &count);
        program_.reserve(1);
        scope_.reserve(count + kMeanwhile);
        const auto has = [&](const Loaded& one) {
            return firstOf(symbols, [&](const char* symbol) { return one.find(symbol); }) != nullptr;
        };
        const auto hasWithin = [&](std::size_t i) {
            return firstOf(symbols, [&](const char* symbol) { return process.findWithin(i, symbol); }) !=
                   nullptr;
        };
        process.whileHeld([&] {
            const std::vector<Loaded>& all = process.all();
            if (std::ranges::none_of(all, has)) return;
            if (!all.empty()) program_.push_back(all.front().symbols);
            const auto add = [this](const Loaded& one) {
                if (one.isLibrary() && scope_.size() < scope_.capacity()) scope_.push_back(one.symbols);
                return false;
            };
            if (std::ranges::any_of(all, [&](const Loaded& one) { return one.isBehind && has(one); })) {
                for (const Loaded& one : all)
                    if (one.isBehind) add(one);
                return;
            }
            for (std::size_t i = 0; i < all.size() && scope_.empty(); ++i) {
                const bool isMeant = all[i].isLibrary() && (within == nullptr || all[i].calls);
                if (!isMeant || !hasWithin(i)) continue;
                process.forEachWithin(i, add);
                kept_ = code::bytesAt(all[i].begin);
            }
        });
        // Not before: where the C library has locks for that, they come before the list's.
        if (kept_ != nullptr) keepLibraryOf(kept_);
    } catch (...) {
        scope_.clear();  // there is no memory
    }
}

void* LoadedLibraries::find(const char* symbol) const noexcept {
    for (const code::ExportedSymbols& one : scope_)
        if (void* const found = functionIn(one, symbol); found != nullptr) return found;
    return nullptr;
}

void* LoadedLibraries::findData(const char* symbol) const noexcept {
    for (const code::ExportedSymbols& program : program_)
        if (void* const found = functionIn(program, symbol); found != nullptr) return found;
    return find(symbol);
}

void LoadedLibraries::close() noexcept {
    if (kept_ != nullptr) letGoLibraryOf(kept_);
    scope_.clear();
}

std::string ownFolder() {
    const char* const known = code::fileOf(reinterpret_cast<const void*>(&isOurs));
    const std::string file = known != nullptr ? known : "";
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
    Found later;
    InProcess process(caller);
    process.whileHeld([&] { later.function = process.find(name); });
    return later;
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
std::array<std::atomic<const void*>, 16> toBeHeld;

}  // namespace

void keepLibraryOf(const void* code) noexcept {
    for (std::atomic<const void*>& one : toBeHeld) {
        const void* known = nullptr;
        if (one.compare_exchange_strong(known, code) || areOfOneLibrary(known, code)) return;
    }
}

void letGoLibraryOf(const void* code) noexcept {
    for (std::atomic<const void*>& one : toBeHeld) {
        const void* known = code;
        if (one.compare_exchange_strong(known, nullptr)) return;
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
