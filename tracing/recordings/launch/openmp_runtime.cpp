// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/openmp_runtime.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <regex>

#include "base/error.h"
#include "base/process.h"
#include "tracing/recordings/archive/process/loading.h"

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

/// The loader itself says what is missing, without running the program: version `GOMP_5.1' not found
/// (required by …).
void checkRuntimeSuits(const fs::path& program, const fs::path& folder) {
    if (!archive::isMachineCode(program)) return;
    const char* const others = std::getenv("LD_LIBRARY_PATH");
    const std::string path =
        folder.string() + (others != nullptr && *others != '\0' ? std::string(":") + others : "");
    const Answer answer = answerOf({"env", "LD_TRACE_LOADED_OBJECTS=1", "LD_WARN=1",
                                    "LD_LIBRARY_PATH=" + path, fs::absolute(program).string()},
                                   ErrorOutput::WithOutput);
    const std::regex missing(
        "libgomp\\.so\\.1: version [`']([A-Z]+_[0-9.]+)' not found \\(required by ([^)]*)\\)");
    std::smatch found;
    if (!std::regex_search(answer.text, found, missing)) return;
    throw Error(
        "--openmp-runtime llvm: needs " + found[1].str() + " of gcc's OpenMP runtime, which LLVM's (" +
            fs::canonical(folder / "libgomp.so.1").string() +
            ") does not have; leave the option out: with its own runtime, the program is recorded, too",
        {.file = found[2].str()});
}

}  // namespace holos::launch
