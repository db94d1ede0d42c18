// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/memory/records.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>

namespace holos::analyzer {

namespace {

/// Large lists have pages of their own. While there is a `PageReuse`, those of lists that are gone are kept
/// for the next ones: so many that they and those in use are no more than were in use at a time before, and
/// no more than `kMost`. Thread safety: safe.
class Pages final : public std::pmr::memory_resource {
  public:
    void beginReuse() {
        const std::lock_guard lock(mutex_);
        ++reuses_;
    }
    void endReuse() {
        const std::lock_guard lock(mutex_);
        --reuses_;
        giveBackAll();
    }
    /// A larger place for a list, which is moved there. Its pages are not copied but get another address.
    void* grow(void* begin, std::size_t bytes, std::size_t wanted) {
        if (bytes >= kSmallest) {
            const std::size_t size = wholePages(bytes);
            const std::size_t larger = wholePages(wanted);
            void* const moved = mremap(begin, size, larger, MREMAP_MAYMOVE);
            if (moved != MAP_FAILED) {
                const std::lock_guard lock(mutex_);
                used_ += larger - size;
                most_ = std::max(most_, used_);
                release();
                return moved;
            }
        }
        void* const moved = allocate(wanted, 1);
        if (bytes != 0) {
            std::memcpy(moved, begin, bytes);
            deallocate(begin, bytes, 1);
        }
        return moved;
    }
    /// Gives the system what is not in use.
    void giveBack() {
        const std::lock_guard lock(mutex_);
        giveBackAll();
    }

  private:
    using Kept = std::map<char*, std::size_t>;
    static constexpr std::size_t kSmallest = std::size_t{256} * 1024;
    /// What is left of kept pages is worth no search below this.
    static constexpr std::size_t kLeast = std::size_t{64} * 1024;
    /// More than this is not kept: other parts of the program may need memory meanwhile.
    static constexpr std::size_t kMost = std::size_t{16} * 1024 * 1024;

    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        if (bytes < kSmallest) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
        const std::size_t size = wholePages(bytes);
        {
            const std::lock_guard lock(mutex_);
            used_ += size;
            void* const again = takeKept(size);
            most_ = std::max(most_, used_);
            release();
            if (again != nullptr) return again;
        }
        void* const begin = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (begin != MAP_FAILED) return begin;
        const std::lock_guard lock(mutex_);
        used_ -= size;
        throw std::bad_alloc();
    }
    void do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) override {
        if (bytes < kSmallest) return std::pmr::new_delete_resource()->deallocate(begin, bytes, alignment);
        const std::size_t size = wholePages(bytes);
        const std::lock_guard lock(mutex_);
        used_ -= size;
        keep(static_cast<char*>(begin), size);
        release();
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

    static std::size_t wholePages(std::size_t bytes) {
        static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        return (bytes + page - 1) / page * page;
    }

    void giveBackAll() {
        most_ = used_;
        release();
    }

    /// From the smallest piece that is large enough; null where there is none.
    void* takeKept(std::size_t size) {
        auto best = kept_.end();
        for (auto piece = kept_.begin(); piece != kept_.end(); ++piece)
            if (piece->second >= size && (best == kept_.end() || piece->second < best->second)) best = piece;
        if (best == kept_.end()) return nullptr;
        char* const begin = best->first;
        const std::size_t rest = best->second - size;
        kept_.erase(best);
        keptBytes_ -= size + rest;
        if (rest != 0) keep(begin + size, rest);
        return begin;
    }

    /// Pieces beside each other are one.
    void keep(char* begin, std::size_t size) {
        keptBytes_ += size;
        const auto next = kept_.lower_bound(begin);
        if (next != kept_.end() && begin + size == next->first) {
            size += next->second;
            kept_.erase(next);
        }
        const auto after = kept_.lower_bound(begin);
        if (after != kept_.begin()) {
            const auto before = std::prev(after);
            if (before->first + before->second == begin) {
                before->second += size;
                return;
            }
        }
        kept_.emplace_hint(after, begin, size);
    }

    /// What is too much, the smallest pieces first.
    void release() {
        const std::size_t allowed = reuses_ == 0 ? 0 : std::min(kMost, most_ - used_);
        while (keptBytes_ > allowed) {
            const auto smallest = std::min_element(
                kept_.begin(), kept_.end(),
                [](const Kept::value_type& a, const Kept::value_type& b) { return a.second < b.second; });
            const std::size_t excess = std::min(keptBytes_ - allowed, smallest->second);
            munmap(smallest->first + smallest->second - excess, excess);
            keptBytes_ -= excess;
            smallest->second -= excess;
            if (smallest->second != 0 && smallest->second < kLeast) {
                munmap(smallest->first, smallest->second);
                keptBytes_ -= smallest->second;
                smallest->second = 0;
            }
            if (smallest->second == 0) kept_.erase(smallest);
        }
    }

    std::mutex mutex_;
    Kept kept_;                  ///< pieces that are not in use
    std::size_t keptBytes_ = 0;  ///< of them
    std::size_t used_ = 0;
    unsigned reuses_ = 0;
    std::size_t most_ = 0;  ///< that was ever in use
};

/// Lists may be freed when the program ends, after everything else.
Pages& pages() {
    static Pages* const pages = std::make_unique<Pages>().release();
    return *pages;
}

}  // namespace

Memory heap() {
    return &pages();
}

PageReuse::PageReuse() {
    pages().beginReuse();
}
PageReuse::~PageReuse() {
    pages().endReuse();
}
void PageReuse::giveBack() {
    pages().giveBack();
}

void* growOnHeap(void* begin, std::size_t bytes, std::size_t wanted) {
    return pages().grow(begin, bytes, wanted);
}

void trimHeap() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace holos::analyzer
