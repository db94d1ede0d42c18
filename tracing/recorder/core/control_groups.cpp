// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/control_groups.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace holos::tracing::core {

KernelText::KernelText(const char* root, const char* folder, const char* name) noexcept {
    const int before = errno;
    char path[PATH_MAX];
    const int length = std::snprintf(path, sizeof path, "%s%s%s", root, folder, name);
    const bool fits = length >= 0 && length < static_cast<int>(sizeof path);
    const int file = fits ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        ssize_t more = 0;
        while (size_ + 1 < sizeof text_ && (more = ::read(file, text_ + size_, sizeof text_ - 1 - size_)) > 0)
            size_ += static_cast<std::size_t>(more);
        ::close(file);
    }
    text_[size_] = '\0';
    errno = before;
}

std::optional<std::uint64_t> KernelText::numberOf(const char* word) const noexcept {
    const std::size_t length = std::strlen(word);
    for (const char* line = text_; line != nullptr && *line != '\0';) {
        if (std::strncmp(line, word, length) == 0) return numberAt(line + length);
        line = std::strchr(line, '\n');
        if (line != nullptr) ++line;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> KernelText::numberAt(const char* text) noexcept {
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(text, &end, 10);
    return end != text ? std::optional(number) : std::nullopt;
}

namespace {

/// Of a list such as `cpu,cpuacct`.
bool listHas(const char* list, const char* word) noexcept {
    const std::size_t length = std::strlen(word);
    for (const char* at = list; at != nullptr;) {
        const char* const comma = std::strchr(at, ',');
        const std::size_t size = comma != nullptr ? static_cast<std::size_t>(comma - at) : std::strlen(at);
        if (size == length && std::strncmp(at, word, length) == 0) return true;
        at = comma != nullptr ? comma + 1 : nullptr;
    }
    return false;
}

/// Of one group; without a limit the time is 0, too.
ProcessorLimit limitOf(const char* root, bool isVersion2, const char* group) noexcept {
    constexpr std::uint64_t kThousand = 1000;
    char folder[PATH_MAX];
    std::snprintf(folder, sizeof folder, "/sys/fs/cgroup%s%s", isVersion2 ? "" : "/cpu", group);
    std::optional<std::uint64_t> quota, period;  // microseconds
    if (isVersion2) {
        const KernelText limit(root, folder, "/cpu.max");  // `50000 100000`, or `max 100000`
        quota = limit.number();
        const char* const space = std::strchr(limit.begin(), ' ');
        if (space != nullptr) period = KernelText::numberAt(space);
    } else {
        const KernelText limit(root, folder, "/cpu.cfs_quota_us");  // -1: none
        if (limit.begin()[0] != '-') quota = limit.number();
        period = KernelText(root, folder, "/cpu.cfs_period_us").number();
    }
    if (!quota || !period || *period == 0) return {};
    const KernelText counts(root, folder, "/cpu.stat");
    const auto stopped = isVersion2 ? counts.numberOf("throttled_usec ") : counts.numberOf("throttled_time ");
    return {*quota * kThousand / *period, stopped.value_or(0) * (isVersion2 ? kThousand : 1)};
}

}  // namespace

char* groupOfLine(char* line, const char* controller, bool& isVersion2) noexcept {
    char* const names = std::strchr(line, ':');
    char* const group = names != nullptr ? std::strchr(names + 1, ':') : nullptr;
    if (group == nullptr) return nullptr;
    *group = '\0';
    isVersion2 = names[1] == '\0';
    return isVersion2 || listHas(names + 1, controller) ? group + 1 : nullptr;
}

ProcessorLimit processorLimit(const char* root) noexcept {
    ProcessorLimit least;
    forEachGroup(root, "cpu", [&](bool isVersion2, const char* group) {
        const ProcessorLimit limit = limitOf(root, isVersion2, group);
        const bool isLess = least.thousandths == 0 || limit.thousandths < least.thousandths;
        if (limit.thousandths != 0 && isLess) least = limit;
    });
    return least;
}

}  // namespace holos::tracing::core
