// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/file_version.h"

#include <sys/stat.h>

#include <QFile>

namespace holos::gui {

FileVersion versionOf(const QString& path) {
    struct stat facts {};
    if (::stat(QFile::encodeName(path).constData(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
    constexpr std::int64_t kSecond = 1'000'000'000;
    return {facts.st_dev, facts.st_ino, facts.st_size,
            facts.st_mtim.tv_sec * kSecond + facts.st_mtim.tv_nsec};
}

}  // namespace holos::gui
