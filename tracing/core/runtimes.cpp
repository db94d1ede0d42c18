// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/runtimes.h"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace holos::tracing::core {
namespace {

constexpr const char* kRuntimes[] = {"libholos-",     "libjemalloc", "libtcmalloc", "libmimalloc", "libgomp.",
                                     "libomp.",       "libiomp",     "libmpi",      "libmpich",    "libopen-",
                                     "libpmix",       "libprrte",    "libucs.",     "libucp.",     "libuct.",
                                     "libfabric.",    "libevent",    "libibverbs",  "libcuda.",    "libnccl",
                                     "libpsm",        "mca_",        "libhwloc.",   "librdmacm",   "libucm.",
                                     "libinfinipath", "libmlx4",     "libmlx5",     "libefa."};

bool isInRuntime(const void* code) noexcept {
    Dl_info info{};
    return ::dladdr(code, &info) != 0 && info.dli_fname != nullptr && isRuntimeFile(info.dli_fname);
}

constexpr unsigned kBits = 10;
/// Answers by address: the address in the upper bits, the answer in the lowest. A later one replaces it.
std::array<std::atomic<std::uint64_t>, std::size_t{1} << kBits> answers;

}  // namespace

bool isRuntimeFile(const char* path) noexcept {
    const char* slash = std::strrchr(path, '/');
    const char* name = slash != nullptr ? slash + 1 : path;
    for (const char* runtime : kRuntimes)
        if (std::strncmp(name, runtime, std::strlen(runtime)) == 0) return true;
    return false;
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

}  // namespace holos::tracing::core
