// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/known_files.h"

#include <array>
#include <atomic>

#include "tracing/core/process_facts.h"
#include "tracing/stacks/known_steps.h"

namespace holos::tracing::stacks {
namespace {

constexpr unsigned kBits = 10;
constexpr unsigned kAddressBits = 48;
constexpr std::uint64_t kAddress = (std::uint64_t{1} << kAddressBits) - 1;
/// Where files that are known begin, with how often files had been unloaded when they became known. A place
/// stays with its address.
std::array<std::atomic<std::uint64_t>, std::size_t{1} << kBits> known;

/// True for the caller that brings it in, or in again. Beyond what there is room for, files are unknown.
bool isNew(std::uint64_t begin) noexcept {
    const std::uint64_t now = begin | std::uint64_t{unloadings.load(std::memory_order_relaxed)}
                                          << kAddressBits;
    std::size_t at = (begin * 0x9E3779B97F4A7C15U) >> (64 - kBits);
    for (std::size_t tried = 0; tried < known.size(); ++tried, at = (at + 1) % known.size()) {
        std::uint64_t there = known[at].load(std::memory_order_relaxed);
        if (there == 0 && known[at].compare_exchange_strong(there, now)) return true;
        if ((there & kAddress) == begin) return there != now && known[at].compare_exchange_strong(there, now);
    }
    return false;
}

}  // namespace

void rememberFile(std::uint64_t address) noexcept {
    LoadedFile file;
    if (!findLoadedFile(address, file) || !isNew(file.begin)) return;
    core::writeLoadedFile(file.begin, file.end, file.path != nullptr ? file.path : "");
}

}  // namespace holos::tracing::stacks
