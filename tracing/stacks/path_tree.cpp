// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/path_tree.h"

#include <array>
#include <atomic>
#include <new>

#include "tracing/core/process_facts.h"
#include "tracing/memory/heap.h"
#include "tracing/stacks/file_table.h"
#include "tracing/stacks/known_files.h"
#include "tracing/stacks/known_steps.h"
#include "tracing/stacks/python/python_call.h"

namespace holos::tracing::stacks {
namespace {

/// Never changed once others can see it, and never freed.
struct Node {
    const Node* next;  ///< of the same list
    std::uint64_t address;
    PathNumber caller;
    PathNumber number;
    std::uint32_t unloadings;  ///< how often files had been unloaded: what lay there before was other code
};

constexpr unsigned kBits = 16;
std::array<std::atomic<const Node*>, std::size_t{1} << kBits> lists;
std::atomic<PathNumber> nextNumber{kFirstPath};
constexpr PathNumber kMostPaths = 1U << 26U;

std::atomic<const Node*>& listOf(PathNumber caller, std::uint64_t address) noexcept {
    const std::uint64_t mixed = (address ^ (std::uint64_t{caller} << 40U) ^ caller) * 0x9E3779B97F4A7C15U;
    return lists[mixed >> (64 - kBits)];
}

/// Null when there is no room.
const Node* makeNode(const Node* next, PathNumber caller, std::uint64_t address) noexcept {
    if (nextNumber.load(std::memory_order_relaxed) >= kMostPaths) return nullptr;
    void* const memory = heap::allocate(sizeof(Node));
    if (memory == nullptr) return nullptr;
    const PathNumber number = nextNumber.fetch_add(1, std::memory_order_relaxed);
    return new (memory) Node{next, address, caller, number, unloadings.load(std::memory_order_relaxed)};
}

}  // namespace

PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept {
    auto& list = listOf(caller, returnAddress);
    const Node* const first = list.load(std::memory_order_acquire);
    const std::uint32_t unloaded = unloadings.load(std::memory_order_relaxed);
    for (const Node* node = first; node != nullptr; node = node->next)
        if (node->address == returnAddress && node->caller == caller && node->unloadings == unloaded)
            return node->number;
    const Node* const made = makeNode(first, caller, returnAddress);
    if (made == nullptr) return caller;
    if (!python::isPython(returnAddress)) {
        const FileTableUse use;
        rememberFile(returnAddress - 1);
    }
    core::writeCallPath(made->number, caller, returnAddress);
    // Where another thread was faster, the number stays without a place in the list; it is defined all the
    // same.
    const Node* expected = first;
    list.compare_exchange_strong(expected, made, std::memory_order_acq_rel);
    return made->number;
}

}  // namespace holos::tracing::stacks
