// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/preloaded.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "tracing/recorder/core/process.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

constexpr std::size_t kPreloadBytes = sizeof kPreload - 1;

char kept[3 * PATH_MAX] = {};

/// The first library of `all`, which loses it.
std::string_view takeFirst(std::string_view& all) noexcept {
    const std::size_t end = all.find_first_of(": ");
    const std::string_view first = all.substr(0, end);
    all.remove_prefix(end == std::string_view::npos ? all.size() : end + 1);
    return first;
}

bool isOurs(std::string_view library) noexcept {
    const std::size_t slash = library.rfind('/');
    return library.substr(slash == std::string_view::npos ? 0 : slash + 1).starts_with("libholos-");
}

template <class Wanted>
void writeIf(const Wanted& isWanted, char* to, std::string_view all) noexcept {
    for (bool isFirst = true; !all.empty();) {
        const std::string_view library = takeFirst(all);
        if (!isWanted(library)) continue;
        if (!isFirst) *to++ = ':';
        to += library.copy(to, library.size());
        isFirst = false;
    }
    *to = '\0';
}

std::string_view firstOfOurs(std::string_view all) noexcept {
    while (!all.empty())
        if (const std::string_view library = takeFirst(all); isOurs(library)) return library;
    return {};
}

/// Libraries without a folder are looked for by the system, elsewhere.
bool isThere(std::string_view library) noexcept {
    char path[PATH_MAX];
    if (library.find('/') == std::string_view::npos || library.size() >= sizeof path) return true;
    path[library.copy(path, library.size())] = '\0';
    const int saved = errno;
    const bool is = ::faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0;
    errno = saved;
    return is;
}

/// Where it stands in the environment of the process; null where it does not.
char** variable() noexcept {
    for (char** at = environ; at != nullptr && *at != nullptr; ++at)
        if (std::strncmp(*at, kPreload, kPreloadBytes) == 0) return at;
    return nullptr;
}

/// The text before stays where it is, as somebody may be reading it.
void takeOut(char** variable) noexcept {
    auto* const text = static_cast<char*>(heap::allocate(std::strlen(*variable) + 1));
    if (text == nullptr) return;
    std::memcpy(text, kPreload, kPreloadBytes);
    writeOthers(text + kPreloadBytes, *variable + kPreloadBytes);
    __atomic_store_n(variable, text, __ATOMIC_RELEASE);
}

}  // namespace

void keepPreloaded() noexcept {
    const char* const all = std::getenv("LD_PRELOAD");
    if (all == nullptr || std::strlen(all) >= sizeof kept) return;
    writeIf([](std::string_view library) { return isOurs(library); }, kept, all);
}

const char* preloaded() noexcept {
    return kept;
}

bool hasRecorder(const char* all) noexcept {
    return std::strstr(all, "libholos-tracing.so") != nullptr;
}

bool isOutOfReach(const char* all) noexcept {
    if (!interpose::may(interpose::Need::Files)) return false;
    const std::string_view named = firstOfOurs(all);
    return !isThere(named.empty() ? firstOfOurs(kept) : named);
}

void writeOthers(char* to, const char* all) noexcept {
    writeIf([](std::string_view library) { return !library.empty() && !isOurs(library); }, to, all);
}

void prepareCommand() noexcept {
    char** const place = variable();
    if (place == nullptr || std::getenv(kRecordingVariable) == nullptr) return;
    const char* const all = *place + kPreloadBytes;
    if (!isOutOfReach(all)) return;
    if (hasRecorder(all)) takeOut(place);
    if (isRecordedProcess()) noteUnnotedChildren(1);
}

}  // namespace holos::tracing::core
