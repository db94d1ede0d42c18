// SPDX-License-Identifier: BSD-3-Clause
#include <link.h>

#include <cstdlib>
#include <optional>

#include "tracing/code/loaded/file_table.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/stacks/known_steps.h"
#include "tracing/recorder/stacks/sampler.h"
#include "tracing/recordings/format/clock.h"

namespace holos::tracing::stacks {
namespace {

constexpr std::int64_t kEvery = 10'000'000;  ///< nanoseconds

/// Files that come later are found when samples have met their code.
void update(core::HelperThread& self, void*) {
    do {
        if (code::isFileTableOld()) code::takeFileTable();
    } while (self.sleepUntil(nanoseconds(CLOCK_MONOTONIC) + kEvery));
}

/// How often files were unloaded since the program began.
unsigned long long countUnloadings() noexcept {
    unsigned long long count = 0;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            *static_cast<unsigned long long*>(result) = info->dlpi_subs;
            return 1;
        },
        &count);
    return count;
}

}  // namespace

void prepareFileTable() noexcept {
    if (std::getenv("HOLOS_FILE_TABLE") == nullptr && !holos::code::isFileTableUsed()) return;
    code::useFileTable();
    static core::HelperThread helper;
    helper.start(&update, nullptr);
}

}  // namespace holos::tracing::stacks

/// The program's. Files that go away are forgotten before, as a sample would read their tables; and so is
/// what was found in them.
extern "C" __attribute__((visibility("default"))) int dlclose(void* handle) noexcept {
    using namespace holos::tracing;
    using namespace holos::tracing::stacks;
    interpose::forgetFound();
    const bool isRecording = core::recordingIsOn.load(std::memory_order_relaxed);
    std::optional<holos::code::FilesGoAway> goAway;
    if (holos::code::isFileTableUsed() && isRecording) goAway.emplace();  // a child of fork does not record
    const unsigned long long before = isRecording ? countUnloadings() : 0;
    if (isRecording) unloadings.begin();
    const int result = interpose::closeLibrary(handle);
    interpose::forgetFound();
    if (isRecording && countUnloadings() != before && unloadings.add() % kStepKeys == 0) forgetSteps();
    if (isRecording) unloadings.end();
    return result;
}
