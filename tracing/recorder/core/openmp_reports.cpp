// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/openmp_reports.h"

#include <link.h>
#include <strings.h>

#include <atomic>
#include <cstdlib>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/events.h"

namespace holos::tracing::core {
namespace {

std::atomic<bool> reports{false};
std::atomic<bool> isSaid{false};

bool isForbidden() noexcept {
    const char* const tool = std::getenv("OMP_TOOL");
    return tool != nullptr && ::strcasecmp(tool, "disabled") == 0;
}

void say() noexcept {
    if (isSaid.exchange(true)) return;
    trouble(isForbidden()
                ? "parallel regions and other constructs of OpenMP are not recorded: OMP_TOOL=disabled keeps "
                  "LLVM's runtime from reporting them; unset it"
                : "parallel regions and other constructs of OpenMP are not recorded: LLVM's runtime did not "
                  "ask the recorder whether to report them, as one does that was built without OMPT, or that "
                  "began before the recorder; use Debian's libomp5 or another one with OMPT, linked as a "
                  "shared library");
}

int isOpenMp(dl_phdr_info* library, std::size_t, void*) {
    return library->dlpi_name != nullptr && code::isOpenMpOfLlvm(library->dlpi_name) ? 1 : 0;
}

}  // namespace

void openMpReports() noexcept {
    reports.store(true, std::memory_order_relaxed);
}

void noteOpenMpThread() noexcept {
    if (!reports.load(std::memory_order_relaxed)) say();
}

void noteUnreportedOpenMp() noexcept {
    const bool isSilent = !reports.load(std::memory_order_relaxed) && isForbidden();
    if (isSilent && ::dl_iterate_phdr(&isOpenMp, nullptr) != 0) say();
}

}  // namespace holos::tracing::core
