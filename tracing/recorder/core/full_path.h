// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace holos::tracing::core {

/// Where a program is that is named as `exec` takes it. As it was given where that is not found out.
/// Allocates nothing, is async-signal-safe, and changes errno.
class FullPath {
  public:
    /// `searches`: a name without a slash is looked for in `PATH`.
    FullPath(const char* given, bool searches) noexcept : text_(given) {
        if (given[0] == '/') return;
        if (searches && std::strchr(given, '/') == nullptr)
            search(given);
        else if (::getcwd(own_, kLongest / 2) != nullptr)
            complete(std::strlen(own_), given);
    }
    FullPath(FullPath&&) = delete;
    const char* text() const noexcept { return text_; }

  private:
    static constexpr std::size_t kLongest = 1024;

    bool complete(std::size_t folder, const char* given) noexcept {
        const int length = std::snprintf(own_ + folder, sizeof own_ - folder, "/%s", given);
        const bool fits = length > 0 && folder + static_cast<std::size_t>(length) < sizeof own_;
        if (fits) text_ = own_;
        return fits;
    }
    void search(const char* given) noexcept {
        const char* at = std::getenv("PATH");
        while (at != nullptr && *at != '\0') {
            const std::size_t bytes = std::strcspn(at, ":");
            if (bytes > 0 && bytes < kLongest / 2) {
                std::memcpy(own_, at, bytes);
                if (complete(bytes, given) && ::access(own_, X_OK) == 0) return;
            }
            at += bytes + (at[bytes] == ':' ? 1 : 0);
        }
        text_ = given;
    }

    const char* text_;
    char own_[kLongest] = {};
};

}  // namespace holos::tracing::core
