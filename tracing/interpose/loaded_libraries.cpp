// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/interpose/loaded_libraries.h"

#include <dlfcn.h>
#include <link.h>

namespace holos::tracing::interpose {
namespace {

std::vector<std::string> loadedFiles() {
    std::vector<std::string> files;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* context) {
            if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
                static_cast<std::vector<std::string>*>(context)->emplace_back(info->dlpi_name);
            return 0;
        },
        &files);
    return files;
}

Dl_info ownInfo() {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&ownInfo), &info);
    return info;
}

bool isOurs(const void* address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 && info.dli_fbase == ownInfo().dli_fbase;
}

}  // namespace

LoadedLibraries::LoadedLibraries(std::initializer_list<const char*> symbols) {
    for (const char* symbol : symbols) global_ = global_ || dlsym(RTLD_NEXT, symbol) != nullptr;
    if (global_) return;
    for (const std::string& file : loadedFiles()) {
        void* const handle = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) continue;
        bool has = false;
        for (const char* symbol : symbols) {
            const void* const address = dlsym(handle, symbol);
            has = has || (address != nullptr && !isOurs(address));
        }
        if (has)
            handles_.push_back(handle);
        else
            dlclose(handle);
    }
}

void* LoadedLibraries::find(const char* symbol) const noexcept {
    if (global_) return dlsym(RTLD_NEXT, symbol);
    for (void* handle : handles_)
        if (void* const address = dlsym(handle, symbol); address != nullptr && !isOurs(address))
            return address;
    return nullptr;
}

std::string ownFolder() {
    const std::string file = ownInfo().dli_fname != nullptr ? ownInfo().dli_fname : "";
    const std::size_t slash = file.rfind('/');
    return slash == std::string::npos ? "." : file.substr(0, slash);
}

}  // namespace holos::tracing::interpose
