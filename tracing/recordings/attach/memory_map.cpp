// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/memory_map.h"

#include <fstream>
#include <iterator>
#include <sstream>

namespace holos::attach {
namespace {

using counters::MemoryPart;

/// Of most threads.
constexpr std::uint64_t kStackBytes = 8 * 1024 * 1024;

MemoryPart partNamed(const std::string& path) {
    if (path == "[heap]") return MemoryPart::Heap;
    if (path == "[stack]") return MemoryPart::Stack;
    return path.starts_with('/') ? MemoryPart::File : MemoryPart::Other;
}

}  // namespace

const MemoryMap::Mapping* MemoryMap::at(std::uint64_t address) const {
    const auto found = byEnd_.upper_bound(address);
    return found != byEnd_.end() && found->second.begin <= address ? &found->second : nullptr;
}

/// `ADDRESS-ADDRESS PERMISSIONS OFFSET DEVICE INODE PATH`. What follows a file without a name of its own is
/// what the file has no bytes for (`.bss`).
void MemoryMap::read(const std::string& maps) {
    byEnd_.clear();
    std::istringstream lines(maps);
    std::uint64_t fileEnd = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream text(line);
        std::uint64_t begin = 0, end = 0, offset = 0, inode = 0;
        char dash = 0;
        std::string permissions, device, path;
        text >> std::hex >> begin >> dash >> end >> permissions >> offset >> device >> inode;
        if (!text || dash != '-' || end <= begin) continue;
        text >> std::ws;
        std::getline(text, path);
        MemoryPart part = partNamed(path);
        if (path.empty() && begin == fileEnd) part = MemoryPart::File;
        if (part == MemoryPart::File) fileEnd = end;
        byEnd_[end] = {begin, part};
    }
}

MemoryPart MemoryMap::partOf(std::uint64_t address, std::uint64_t stackPointer) {
    if (stackPointer != 0 && address >= stackPointer && address - stackPointer < kStackBytes) {
        // Of the main thread and of others alike, unless something else is known to lie there.
        const Mapping* const known = at(address);
        if (known == nullptr || known->part == MemoryPart::Other || known->part == MemoryPart::Stack)
            return MemoryPart::Stack;
    }
    const Mapping* known = at(address);
    if (known == nullptr) {
        std::ifstream file("/proc/" + std::to_string(process_) + "/maps");
        read({std::istreambuf_iterator<char>(file), {}});
        known = at(address);
    }
    return known != nullptr ? known->part : MemoryPart::Other;
}

}  // namespace holos::attach
