// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/openmp/gomp.h"

#include "tracing/recorder/interpose/lookup_scopes.h"

namespace holos::tracing::openmp {
namespace {

constinit interpose::NextFunction parallel("GOMP_parallel");
constinit interpose::NextFunction fork("__kmpc_fork_call");

/// LLVM's runtime also has libgomp's entry points.
bool isLlvms(const void* ofRuntime) {
    return interpose::areOfOneLibrary(ofRuntime, fork.behind(ofRuntime));
}

}  // namespace

thread_local bool singleHasNoEnd __attribute__((tls_model("initial-exec"))) = false;

bool runtimeReports(const void* caller) noexcept {
    static char yes;
    static char no;
    const void* const runtime = parallel.behind(caller);
    if (runtime == nullptr) return false;
    void* answer = interpose::remembered(&yes, runtime);
    if (answer == nullptr) {
        const Pause pause;
        answer = isLlvms(runtime) ? &yes : &no;
        interpose::remember(&yes, runtime, answer);
    }
    return answer == &yes;
}

}  // namespace holos::tracing::openmp
