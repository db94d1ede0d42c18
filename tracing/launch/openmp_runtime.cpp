// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/launch/openmp_runtime.h"

#include <dlfcn.h>
#include <link.h>

#include "base/error.h"

namespace holos::launch {

namespace fs = std::filesystem;

fs::path llvmOpenMpRuntime() {
    for (const char* name : {"libomp.so.5", "libomp.so"}) {
        void* const library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
        if (library == nullptr) continue;
        const link_map* map = nullptr;
        fs::path path;
        if (::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && ::dlsym(library, "GOMP_parallel") != nullptr)
            path = fs::canonical(map->l_name);
        ::dlclose(library);
        if (!path.empty()) return path;
    }
    throw Error(
        "--openmp-runtime llvm: LLVM's libomp.so.5, with the entry points of gcc's runtime, is not among the "
        "libraries of this machine (Debian: package libomp5; elsewhere, add its folder to LD_LIBRARY_PATH)");
}

void offerAsLibgomp(const fs::path& runtime, const fs::path& folder) {
    const fs::path link = folder / "libgomp.so.1";
    std::error_code error;
    fs::create_symlink(runtime, link, error);
    if (error && !fs::is_symlink(link))
        throw Error("cannot be made: " + error.message(), {.file = link.string()});
}

}  // namespace holos::launch
