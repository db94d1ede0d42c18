// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/loaded_libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/interpose/scopes.h"

namespace holos::tracing::interpose {
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
