// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/walk/path_tree.h"

#include <sys/stat.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/fnv1a.h"
#include "tracing/code/loaded/file_table.h"
#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recorder/stacks/walk/unloadings.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::tracing::stacks {
namespace {

using Moment = Unloadings::Moment;

/// Keeps its place in the table once it is there.
struct KnownFile {
    std::atomic<std::uint64_t> identity{0};  ///< 0: the place is free
    std::atomic<std::uint64_t> begin{0};
    std::atomic<std::uint64_t> end{0};
    std::atomic<std::uint32_t> defined{0};  ///< which definition it was the last time, counted from 1
    std::atomic<std::uint32_t> checked{0};  ///< of so many definitions none in its place was behind its own
};
std::array<KnownFile, kMostKnownFiles> files;
std::atomic<std::uint32_t> definitions{0};

/// Which file was found where it begins, so that it need not be looked for again until files are unloaded.
struct Found {
    std::atomic<std::uint64_t> begin{0};
    std::atomic<std::uint64_t> file{0};  ///< its number, above how often files had been unloaded
};
std::array<Found, 1024> found;

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;

/// The place of this start, which it keeps; null when there are too many.
Found* placeOf(std::uint64_t begin) noexcept {
    constexpr std::size_t kTries = 16;
    for (std::size_t i = 0; i < kTries; ++i) {
        Found& place = found[((begin * kMix >> 32U) + i) % found.size()];
        std::uint64_t there = place.begin.load(std::memory_order_relaxed);
        if (there == 0 && place.begin.compare_exchange_strong(there, begin)) return &place;
        if (there == begin) return &place;
    }
    return nullptr;
}

class Hash {
  public:
    Hash& add(const void* data, std::size_t bytes) noexcept {
        sum_.add(data, bytes);
        return *this;
    }
    template <class Number>
    Hash& add(Number number) noexcept {
        return add(&number, sizeof number);
    }
    std::uint64_t value() const noexcept { return sum_.value() != 0 ? sum_.value() : 1; }

  private:
    Fnv1a sum_;
};

/// Of a file that cannot be looked at nobody knows whether it is the same after files were unloaded.
std::uint64_t identityOf(const code::LoadedFile& file, const Moment& now) noexcept {
    const char* const path = file.path != nullptr ? file.path : "";
    Hash hash;
    hash.add(file.begin).add(file.end).add(path, std::strlen(path));
    const int saved = errno;
    struct stat facts {};
    if (::stat(path, &facts) == 0)
        hash.add(facts.st_dev).add(facts.st_ino).add(facts.st_size).add(facts.st_mtim).add(facts.st_ctim);
    else if (std::strchr(path, '/') != nullptr)
        hash.add(now.unloadings());
    errno = saved;
    return hash.value();
}

FileNumber numberOf(const code::LoadedFile& file, std::uint64_t identity) noexcept {
    std::size_t at = identity % files.size();
    for (std::size_t tried = 0; tried < files.size(); ++tried, at = (at + 1) % files.size()) {
        KnownFile& known = files[at];
        std::uint64_t there = known.identity.load(std::memory_order_relaxed);
        if (there != identity && !(there == 0 && known.identity.compare_exchange_strong(there, identity)) &&
            there != identity)
            continue;
        known.begin.store(file.begin, std::memory_order_relaxed);
        known.end.store(file.end, std::memory_order_relaxed);
        return static_cast<FileNumber>(at + 1);
    }
    return kNoFile;
}

/// Whether it is among the definitions, and none that has taken its place is behind it.
bool isDefinedLast(const KnownFile& file) noexcept {
    const std::uint32_t defined = file.defined.load(std::memory_order_relaxed);
    if (defined == 0) return false;
    for (const KnownFile& other : files)
        if (other.defined.load(std::memory_order_relaxed) > defined && other.begin < file.end &&
            file.begin < other.end)
            return false;
    return true;
}

}  // namespace

FileNumber fileOf(std::uint64_t address) noexcept {
    const Moment now = unloadings.now();
    code::LoadedFile file;
    if (!code::findLoadedFile(address, file)) return kNoFile;
    Found* const place = placeOf(file.begin);
    if (place != nullptr && now.isQuiet()) {
        const std::uint64_t there = place->file.load(std::memory_order_relaxed);
        if (there >> 32U != 0 && static_cast<std::uint32_t>(there) == now.unloadings())
            return static_cast<FileNumber>(there >> 32U);
    }
    const FileNumber number = numberOf(file, identityOf(file, now));
    if (place != nullptr && now.isQuiet() && unloadings.now() == now)
        place->file.store(std::uint64_t{number} << 32U | now.unloadings(), std::memory_order_relaxed);
    return number;
}

void rememberFile(std::uint64_t address) noexcept {
    const FileNumber number = fileOf(address);
    if (number == kNoFile) return;
    KnownFile& known = files[number - 1];
    const std::uint32_t written = definitions.load(std::memory_order_acquire);
    if (known.checked.load(std::memory_order_relaxed) == written && written != 0) return;
    if (isDefinedLast(known)) return known.checked.store(written, std::memory_order_relaxed);
    code::LoadedFile file;
    if (!code::findLoadedFile(address, file)) return;
    core::writeLoadedFile(file.begin, file.end, file.path != nullptr ? file.path : "",
                          code::BuildId(file).text());
    known.defined.store(definitions.fetch_add(1, std::memory_order_release) + 1, std::memory_order_relaxed);
}

std::uint32_t definedFiles() noexcept {
    return definitions.load(std::memory_order_acquire);
}

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
