// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/walk/path_tree.h"

#include <array>
#include <atomic>

#include "tracing/code/loaded/file_table.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recorder/stacks/walk/known_files.h"
#include "tracing/recorder/stacks/walk/unloadings.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::tracing::stacks {
namespace {

/// Never freed, and never changed once others can see it, but for `seen`.
struct Node {
    Node* next;  ///< of the same list
    std::uint64_t address;
    PathNumber caller;
    PathNumber number;
    FileNumber file;
    std::atomic<std::uint32_t> seen;  ///< after so many unloadings the file was still there

    bool isOf(PathNumber from, std::uint64_t returnAddress) const noexcept {
        return address == returnAddress && caller == from;
    }
};

constexpr unsigned kBits = 16;
std::array<std::atomic<Node*>, std::size_t{1} << kBits> lists;
std::atomic<PathNumber> nextNumber{kFirstPath};

std::atomic<Node*>& listOf(PathNumber caller, std::uint64_t address) noexcept {
    const std::uint64_t mixed = (address ^ (std::uint64_t{caller} << 40U) ^ caller) * 0x9E3779B97F4A7C15U;
    return lists[mixed >> (64 - kBits)];
}

/// Null when there is no room.
Node* makeNode(Node* next, PathNumber caller, std::uint64_t address, FileNumber file) noexcept {
    if (nextNumber.load(std::memory_order_relaxed) >= kMostPaths) return nullptr;
    void* const memory = heap::allocate(sizeof(Node));
    if (memory == nullptr) return nullptr;
    const PathNumber number = nextNumber.fetch_add(1, std::memory_order_relaxed);
    return new (memory) Node{next, address, caller, number, file, 0};
}

Node* findNode(Node* node, PathNumber caller, std::uint64_t address, FileNumber file) noexcept {
    while (node != nullptr && !(node->isOf(caller, address) && node->file == file)) node = node->next;
    return node;
}

/// A new path, or one whose file has to be looked at, as others were unloaded since.
PathNumber pathByFile(PathNumber caller, std::uint64_t returnAddress,
                      const Unloadings::Moment& now) noexcept {
    if (caller == kMorePaths) return kMorePaths;
    const code::FileTableUse use;
    const bool isNative = !python::isPython(returnAddress) && returnAddress != kCallsLeftOut;
    const FileNumber file = isNative ? fileOf(returnAddress - 1) : kNoFile;
    const std::uint64_t address = isNative && file == kNoFile ? kCodeOfNoFile : returnAddress;
    auto& list = listOf(caller, address);
    Node* const first = list.load(std::memory_order_acquire);
    Node* const known = findNode(first, caller, address, file);
    Node* const node = known != nullptr ? known : makeNode(first, caller, address, file);
    if (node == nullptr) return kMorePaths;
    if (now.isQuiet() && unloadings.now() == now)
        node->seen.store(now.unloadings(), std::memory_order_relaxed);
    if (node == known) return node->number;
    if (file != kNoFile) rememberFile(returnAddress - 1);
    core::writeCallPath(node->number, caller, address);
    // Where another thread was faster, the number stays without a place in the list; it is defined all the
    // same.
    Node* expected = first;
    list.compare_exchange_strong(expected, node, std::memory_order_acq_rel);
    return node->number;
}

}  // namespace

PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept {
    const Unloadings::Moment now = unloadings.now();
    const Node* node = listOf(caller, returnAddress).load(std::memory_order_acquire);
    for (; node != nullptr && now.isQuiet(); node = node->next)
        if (node->isOf(caller, returnAddress) &&
            node->seen.load(std::memory_order_relaxed) == now.unloadings())
            return node->number;
    return pathByFile(caller, returnAddress, now);
}

}  // namespace holos::tracing::stacks
