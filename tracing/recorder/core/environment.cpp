// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/environment.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/settings.h"

extern "C" void __tsan_init() __attribute__((weak));  // NOLINT: of ThreadSanitizer's runtime

namespace holos::tracing::core {
namespace {

constexpr const char* kNotRecorded[] = {"mpirun",
                                        "mpiexec",
                                        "mpiexec.hydra",
                                        "mpiexec.openmpi",
                                        "mpiexec.mpich",
                                        "orterun",
                                        "prterun",
                                        "orted",
                                        "prted",
                                        "prte",
                                        "hydra_pmi_proxy",
                                        "hydra_bstrap_proxy",
                                        "hydra_nameserver",
                                        "srun",
                                        "ssh",
                                        "rsh",
                                        "qrsh",
                                        "sh",
                                        "bash",
                                        "dash",
                                        "zsh",
                                        "ksh",
                                        "csh",
                                        "tcsh",
                                        "fish",
                                        "env",
                                        "time",
                                        "timeout",
                                        "nice",
                                        "numactl",
                                        "taskset",
                                        "stdbuf",
                                        "setsid",
                                        "nohup",
                                        "holos"};

constexpr const char* kLocalRankVariables[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                               "SLURM_LOCALID"};

/// The first of the variables that holds a number; -1 when none does.
long numberOf(std::span<const char* const> variables) noexcept {
    for (const char* name : variables)
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
            char* rest = nullptr;
            const long rank = std::strtol(value, &rest, 10);
            if (*rest == '\0' && rank >= 0) return rank;
        }
    return -1;
}

/// Of the run that this process belongs to.
bool isOurs(const char* folder) noexcept {
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s/run", folder);
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    char text[512];
    const ssize_t length = ::read(file, text, sizeof text - 1);
    ::close(file);
    text[length > 0 ? length : 0] = '\0';
    const char* const run = std::getenv(kRunVariable);
    return run == nullptr || std::strstr(text, run) != nullptr;
}

}  // namespace

const char* recordingFolder() noexcept {
    const char* folder = std::getenv(kRecordingVariable);
    if (folder == nullptr || folder[0] != '/' || __tsan_init != nullptr) return nullptr;
    const char* const link = std::getenv(kRecordingLinkVariable);
    return link != nullptr && !isOurs(folder) && isOurs(link) ? link : folder;
}

bool isLauncher(const char* executable) noexcept {
    const char* slash = std::strrchr(executable, '/');
    const char* name = slash != nullptr ? slash + 1 : executable;
    return std::ranges::any_of(kNotRecorded,
                               [name](const char* other) { return std::strcmp(name, other) == 0; });
}

long launcherRank() noexcept {
    return numberOf(kRankVariables);
}

long localRank() noexcept {
    return numberOf(kLocalRankVariables);
}

}  // namespace holos::tracing::core

namespace holos::tracing::core {
namespace {

/// The program may change its environment later, or write over the place where that was.
Settings read() noexcept {
    const char* const text = std::getenv(kSettingsVariable);
    if (text == nullptr) return {};
    const std::size_t bytes = std::strlen(text) + 1;
    void* const copy = heap::allocate(bytes);
    if (copy == nullptr) return {};
    return decode(static_cast<char*>(std::memcpy(copy, text, bytes)));
}

}  // namespace

const Settings& settings() noexcept {
    static const Settings own = read();
    return own;
}

}  // namespace holos::tracing::core
