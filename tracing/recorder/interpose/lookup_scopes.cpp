// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/lookup_scopes.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "tracing/recorder/interpose/next_function.h"

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
