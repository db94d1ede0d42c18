// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/openmp/gomp.h"

#include <dlfcn.h>

#include "tracing/interpose/loaded_libraries.h"

namespace holos::tracing::openmp {
namespace {

const interpose::LoadedLibraries& runtime() {
    static const interpose::LoadedLibraries kRuntime{"GOMP_parallel", "omp_set_lock"};
    return kRuntime;
}

/// LLVM's runtime also has libgomp's entry points; what counts is whose the first ones are.
bool isLlvm() {
    Dl_info parallel{};
    Dl_info fork{};
    return dladdr(runtime().find("GOMP_parallel"), &parallel) != 0 &&
           dladdr(runtime().find("__kmpc_fork_call"), &fork) != 0 && parallel.dli_fbase == fork.dli_fbase;
}

}  // namespace

thread_local bool singleHasNoEnd __attribute__((tls_model("initial-exec"))) = false;

void* originalAddress(const char* name) noexcept {
    const Pause pause;
    return runtime().find(name);
}

bool runtimeReports() noexcept {
    static const bool kReports = [] {
        const Pause pause;
        return isLlvm();
    }();
    return kReports;
}

}  // namespace holos::tracing::openmp
