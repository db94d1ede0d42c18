// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/memory/heap.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <limits>

namespace holos::tracing::heap {
namespace {

constexpr std::size_t kPage = 4096;  // or a divisor of the processor's
constexpr std::size_t kRegion = 64 * 1024;

/// Stands before what the caller gets, in the same page.
struct Header {
    std::uint32_t sizeClass;  ///< or `kMapped`
    std::uint32_t offset;     ///< from the start of the block to what the caller gets
    std::uint64_t mark;       ///< tells a block of this heap from one of the C library
};
static_assert(sizeof(Header) == 16);

constexpr std::uint32_t kMapped = ~0U;  ///< a block with pages of its own; its first word has its size
constexpr std::uint64_t kMark = 0x9D3B5F81C6A7E42BU;

/// 32, 64, 96, 128, 192, 256, …: all blocks begin at multiples of 32, so that no header ends a page.
constexpr std::uint32_t kClasses = 18;
constexpr std::size_t sizeOfClass(std::uint32_t one) noexcept {
    if (one == 0) return 32;
    const std::size_t power = std::size_t{64} << ((one - 1) / 2);
    return one % 2 == 1 ? power : power + power / 2;
}
constexpr std::size_t kLargest = sizeOfClass(kClasses - 1);
static_assert(kLargest <= kRegion / 4);

std::uint32_t classFor(std::size_t bytes) noexcept {
    std::uint32_t one = 0;
    while (sizeOfClass(one) < bytes) ++one;
    return one;
}

struct FreeBlock {
    FreeBlock* next;
};

/// Blocks that wait for use, the last one first. The upper bits count changes, so that a thread notices when
/// a block was taken and put back while it looked. Blocks of small sizes are never unmapped, so that looking
/// at one that was just taken does no harm.
class FreeList {
  public:
    FreeBlock* take() noexcept {
        std::uint64_t head = head_.load(std::memory_order_acquire);
        while (blockOf(head) != nullptr) {
            FreeBlock* const next = __atomic_load_n(&blockOf(head)->next, __ATOMIC_RELAXED);
            if (head_.compare_exchange_weak(head, after(head, next), std::memory_order_acquire)) break;
        }
        return blockOf(head);
    }
    /// A chain of blocks that are linked from the first to the last.
    void put(FreeBlock* first, FreeBlock* last) noexcept {
        std::uint64_t head = head_.load(std::memory_order_relaxed);
        do __atomic_store_n(&last->next, blockOf(head), __ATOMIC_RELAXED);
        while (!head_.compare_exchange_weak(head, after(head, first), std::memory_order_release,
                                            std::memory_order_relaxed));
    }

  private:
    static constexpr unsigned kAddressBits = 48;
    static FreeBlock* blockOf(std::uint64_t head) noexcept {
        const std::uint64_t address = head & ((std::uint64_t{1} << kAddressBits) - 1);
        return reinterpret_cast<FreeBlock*>(address);  // NOLINT(performance-no-int-to-ptr)
    }
    static std::uint64_t after(std::uint64_t head, FreeBlock* block) noexcept {
        return ((head >> kAddressBits) + 1) << kAddressBits | reinterpret_cast<std::uint64_t>(block);
    }
    std::atomic<std::uint64_t> head_{0};
};
std::array<FreeList, kClasses> freeLists;

char* mapPages(std::size_t bytes) noexcept {
    const int saved = errno;
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    errno = saved;
    return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

FreeBlock* blockAt(char* address) noexcept {
    return reinterpret_cast<FreeBlock*>(address);
}

/// Cuts a new region into blocks: one for the caller, the others for later.
char* takeFromRegion(std::uint32_t one) noexcept {
    char* const region = mapPages(kRegion);
    if (region == nullptr) return nullptr;
    const std::size_t size = sizeOfClass(one);
    char* const last = region + (kRegion / size - 1) * size;
    for (char* block = region + size; block != last; block += size)
        blockAt(block)->next = blockAt(block + size);
    freeLists[one].put(blockAt(region + size), blockAt(last));
    return region;
}

Header* headerOf(void* block) noexcept {
    return static_cast<Header*>(block) - 1;
}
const Header* headerOf(const void* block) noexcept {
    return static_cast<const Header*>(block) - 1;
}
std::uint64_t markOf(const void* block) noexcept {
    return kMark ^ reinterpret_cast<std::uint64_t>(block);
}

/// What the caller of `allocate` gets of a block: behind the header, aligned, and not at the start of a page.
void* present(char* begin, std::uint32_t sizeClass, std::size_t room, std::size_t alignment) noexcept {
    const auto address = reinterpret_cast<std::uint64_t>(begin) + room;
    auto aligned = (address + alignment - 1) & ~(std::uint64_t{alignment} - 1);
    if (aligned % kPage == 0) aligned += alignment;
    const auto offset = static_cast<std::uint32_t>(aligned - reinterpret_cast<std::uint64_t>(begin));
    void* const block = begin + offset;
    *headerOf(block) = {sizeClass, offset, markOf(block)};
    return block;
}

void* allocateMapped(std::size_t bytes, std::size_t alignment) noexcept {
    constexpr std::size_t kRoom = 2 * sizeof(Header);
    const std::size_t size = (bytes + kRoom + 2 * alignment + kPage - 1) & ~(kPage - 1);
    char* const begin = mapPages(size);
    if (begin == nullptr) return nullptr;
    *reinterpret_cast<std::size_t*>(begin) = size;
    return present(begin, kMapped, kRoom, alignment);
}

std::size_t sizeOfMapped(const char* begin) noexcept {
    return *reinterpret_cast<const std::size_t*>(begin);
}

}  // namespace

void* allocateAligned(std::size_t alignment, std::size_t bytes) noexcept {
    if (alignment >= kPage || bytes > std::numeric_limits<std::ptrdiff_t>::max()) return nullptr;
    const bool isUsual = alignment <= sizeof(Header);
    const std::size_t size = bytes + sizeof(Header) + (isUsual ? 0 : 2 * alignment);
    if (size > kLargest) return allocateMapped(bytes, isUsual ? sizeof(Header) : alignment);
    const std::uint32_t one = classFor(size);
    FreeBlock* const known = freeLists[one].take();
    char* const begin = known != nullptr ? reinterpret_cast<char*>(known) : takeFromRegion(one);
    if (begin == nullptr) return nullptr;
    return present(begin, one, sizeof(Header), isUsual ? sizeof(Header) : alignment);
}

void* allocate(std::size_t bytes) noexcept {
    return allocateAligned(sizeof(Header), bytes);
}

/// Looks at what stands before a block of the C library, too, which AddressSanitizer takes for an error.
[[gnu::no_sanitize_address]] bool owns(const void* block) noexcept {
    const auto address = reinterpret_cast<std::uint64_t>(block);
    return address % sizeof(Header) == 0 && address % kPage != 0 && headerOf(block)->mark == markOf(block);
}

std::size_t sizeOf(const void* block) noexcept {
    const Header& header = *headerOf(block);
    const char* const begin = static_cast<const char*>(block) - header.offset;
    return (header.sizeClass == kMapped ? sizeOfMapped(begin) : sizeOfClass(header.sizeClass)) -
           header.offset;
}

void release(void* block) noexcept {
    const Header header = *headerOf(block);
    char* const begin = static_cast<char*>(block) - header.offset;
    headerOf(block)->mark = 0;
    if (header.sizeClass != kMapped) return freeLists[header.sizeClass].put(blockAt(begin), blockAt(begin));
    const int saved = errno;
    ::munmap(begin, sizeOfMapped(begin));
    errno = saved;
}

}  // namespace holos::tracing::heap
