// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/lock_owner.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "tracing/recordings/archive/living.h"

namespace holos::archive {
namespace {

/// `fe:01:4711`, as /proc/locks names files.
std::string kernelsNameOf(const std::filesystem::path& file) {
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) return {};
    char name[64];
    std::snprintf(name, sizeof name, "%02x:%02x:%llu", major(facts.st_dev), minor(facts.st_dev),
                  static_cast<unsigned long long>(facts.st_ino));
    return name;
}

/// The number of the process that has locked the file; empty where the kernel does not tell. Lines of
/// /proc/locks are `1: FLOCK  ADVISORY  WRITE 4711 fe:01:4711 0 EOF`; who waits stands behind an arrow.
std::string lockingProcess(const std::filesystem::path& file) {
    const std::string name = kernelsNameOf(file);
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number, kind, way, access, process, place;
        words >> number >> kind >> way >> access >> process >> place;
        if (kind != "->" && place == name) return process;
    }
    return {};
}

}  // namespace

LockOwner ownerOf(const std::filesystem::path& file) {
    const auto note = readNote(file);
    const std::string locking = lockingProcess(file);
    const bool isSame = locking.empty() || (note && locking == std::to_string(note->pid));
    if (note && note->pid != 0) {
        const Life life = lifeOf(file);
        if (life == Life::Unknown || (life == Life::Living && isSame)) return {describe({*note}), true};
    }
    if (locking.empty() || locking == "-1" || locking == "0")
        return {"a process that is not known here", false};
    std::string name;
    std::getline(std::ifstream("/proc/" + locking + "/comm"), name);
    return {"process " + locking + (name.empty() ? "" : " (" + name + ')') + ", which is not holos", false};
}

}  // namespace holos::archive
