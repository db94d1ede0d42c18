// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/other_builds.h"

#include <elfutils/libdwelf.h>

#include "base/input_file.h"

namespace holos::archive {
namespace {

/// In hexadecimal digits; empty where it has none. None where there is no such file.
std::optional<std::string> buildIdOf(const std::string& path) {
    const Descriptor file = openRegular(path);
    if (!file) return {};
    std::string digits;
    elf_version(EV_CURRENT);
    if (Elf* const elf = elf_begin(file.number(), ELF_C_READ, nullptr); elf != nullptr) {
        const void* id = nullptr;
        const ssize_t bytes = dwelf_elf_gnu_build_id(elf, &id);
        for (ssize_t i = 0; i < bytes; ++i) {
            const unsigned byte = static_cast<const unsigned char*>(id)[i];
            constexpr const char* kDigits = "0123456789abcdef";
            digits += kDigits[byte >> 4U];
            digits += kDigits[byte & 0xFU];
        }
        elf_end(elf);
    }
    return digits;
}

}  // namespace

bool OtherBuilds::isOther(const std::string& path, const std::string& buildId) {
    const std::scoped_lock lock(mutex_);
    const auto [at, isNew] = here_.try_emplace(path);
    if (isNew) at->second = buildIdOf(path);
    if (!at->second || *at->second == buildId) return false;
    found_.insert(path);
    return true;
}

void OtherBuilds::mark(RecordedProcess& process) {
    std::set<std::string> others;
    for (RecordedFile& file : process.loadedFiles) {
        if (file.buildId.empty()) continue;
        const std::string path = file.path.empty() ? process.executable : file.path;
        if (!isOther(path, file.buildId)) continue;
        others.insert(path);
        file.path = path + kMark;
    }
    for (auto& [ref, region] : process.regions)
        if (others.contains(region.object)) region.object += kMark;
}

std::vector<std::string> OtherBuilds::notes() const {
    std::vector<std::string> notes;
    for (const std::string& path : found_)
        notes.push_back(
            path +
            " is not the build that ran: its functions have no names, as those of this file would be "
            "wrong ones. Was it compiled anew meanwhile, or is it another one on that node?");
    return notes;
}

}  // namespace holos::archive
