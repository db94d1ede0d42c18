// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/loaded/runtimes.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace holos::code {
namespace {

constexpr const char* kRuntimes[] = {
    "libholos-", "libjemalloc", "libtcmalloc", "libmimalloc", "libgomp.",  "libgomp-",   "libomp.",
    "libomp-",   "libiomp",     "libmpi",      "libmpich",    "libopen-",  "libpmix",    "libprrte",
    "libucs.",   "libucp.",     "libuct.",     "libfabric.",  "libevent",  "libibverbs", "libcuda.",
    "libnccl",   "libpsm",      "mca_",        "libhwloc.",   "librdmacm", "libucm.",    "libinfinipath",
    "libmlx4",   "libmlx5",     "libefa.",     "hwloc_",      "libucs_",   "libuct_",    "libucm_"};

constexpr const char* kLoaders[] = {"ld-linux"};

constexpr const char* kSystem[] = {"libc.", "libc-", "ld-linux", "libpthread", "linux-vdso"};

constexpr const char* kSwapsStacks[] = {"_greenlet.", "greenlet."};

template <std::size_t kCount>
bool beginsWithOne(const char* const (&beginnings)[kCount], const char* path) noexcept {
    const char* const slash = std::strrchr(path, '/');
    const char* const name = slash != nullptr ? slash + 1 : path;
    return std::any_of(std::begin(beginnings), std::end(beginnings), [name](const char* beginning) {
        return std::strncmp(name, beginning, std::strlen(beginning)) == 0;
    });
}

constexpr const char* kOpenMpOfLlvm[] = {"libomp.", "libomp-", "libiomp"};
constexpr const char* kOpenMpOfGcc[] = {"libgomp.", "libgomp-"};

bool isInRuntime(const void* code) noexcept {
    const char* const file = fileOf(code);
    return file != nullptr && isRuntimeFile(file);
}

constexpr unsigned kBits = 10;
/// Answers by address: the address in the upper bits, the answer in the lowest. A later one replaces it.
std::array<std::atomic<std::uint64_t>, std::size_t{1} << kBits> answers;

}  // namespace

Library libraryOf(const void* code) noexcept {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    dl_find_object found{};
    if (::_dl_find_object(const_cast<void*>(code), &found) != 0) return {};
    return {found.dlfo_link_map, found.dlfo_map_start};
#else
    Dl_info info{};
    link_map* library = nullptr;
    if (::dladdr1(code, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0) return {};
    return {library, info.dli_fbase};
#endif
}

const char* fileOf(const void* code) noexcept {
    const link_map* const library = libraryOf(code).map;
    return library != nullptr ? library->l_name : nullptr;
}

bool isOpenMpOfLlvm(const char* path) noexcept {
    return beginsWithOne(kOpenMpOfLlvm, path);
}

bool isOpenMp(const char* path) noexcept {
    return beginsWithOne(kOpenMpOfGcc, path) || isOpenMpOfLlvm(path);
}

bool isRuntimeFile(const char* path) noexcept {
    return beginsWithOne(kRuntimes, path);
}

bool isSystemFile(const char* path) noexcept {
    return beginsWithOne(kSystem, path);
}

bool isSystem(const void* code) noexcept {
    const char* const file = fileOf(code);
    return file != nullptr && isSystemFile(file);
}

bool isLoaderFile(const char* path) noexcept {
    return beginsWithOne(kLoaders, path);
}

bool swapsStacks(const char* path) noexcept {
    return beginsWithOne(kSwapsStacks, path);
}

bool isRuntime(const void* code) noexcept {
    const auto key = reinterpret_cast<std::uint64_t>(code) << 1;
    auto& answer = answers[(key * 0x9E3779B97F4A7C15U) >> (64 - kBits)];
    const std::uint64_t known = answer.load(std::memory_order_relaxed);
    if ((known & ~std::uint64_t{1}) == key) return (known & 1) != 0;
    const bool result = isInRuntime(code);
    answer.store(key | (result ? 1 : 0), std::memory_order_relaxed);
    return result;
}

}  // namespace holos::code
