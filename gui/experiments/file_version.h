// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <cstdint>

namespace holos::gui {

/// What a file was at a moment: it changes when the file is written, or another one takes its name.
struct FileVersion {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::int64_t bytes = -1;   ///< -1: there is no such file
    std::int64_t changed = 0;  ///< nanoseconds

    bool operator==(const FileVersion&) const = default;
    bool isFile() const { return bytes >= 0; }
};

/// Now, of a regular file; links are followed.
FileVersion versionOf(const QString& path);

}  // namespace holos::gui
