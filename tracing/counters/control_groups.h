// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tracing/counters/perf_event_names.h"

namespace holos::counters {

/// An event of all processes of a control group and of those below it: `EVENT@/GROUP`, such as
/// `cycles@/system.slice/ssh.service`, with the group by its path below where the kernel shows groups. It is
/// counted on all processors. Nothing for other names; a problem where there is no such group.
std::optional<PerfEvent> findOfControlGroup(const std::string& name);

/// An event of everybody on some processors: `EVENT@cpu0`, `EVENT@cpu0-3,8`. Nothing for other names; a
/// problem where a processor is not there.
std::optional<PerfEvent> findOfProcessors(const std::string& name);

/// The folder of a group for perf, of version 2 or 1 of control groups, whose file systems are at `root`.
/// Empty where there is none.
std::filesystem::path controlGroupFolder(const std::filesystem::path& root, const std::string& group);

}  // namespace holos::counters
