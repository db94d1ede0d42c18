// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/memory/records.h"

#include <malloc.h>
#include <sys/mman.h>

#include <new>

namespace holos::analyzer {

namespace {

class Pages final : public std::pmr::memory_resource {
    static constexpr std::size_t kSmallest = std::size_t{256} * 1024;

    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        if (bytes < kSmallest) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
        void* begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (begin == MAP_FAILED) throw std::bad_alloc();
        return begin;
    }
    void do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) override {
        if (bytes < kSmallest) return std::pmr::new_delete_resource()->deallocate(begin, bytes, alignment);
        munmap(begin, bytes);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

Memory heap() {
    static Pages pages;
    return &pages;
}

void trimHeap() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace holos::analyzer
