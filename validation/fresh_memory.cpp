// SPDX-License-Identifier: BSD-3-Clause
#include "validation/fresh_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"

namespace holos::validation {

FreshMemory::FreshMemory(std::size_t bytes) : begin_(nullptr), bytes_(std::max<std::size_t>(bytes, 1)) {
    void* memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw Error(std::to_string(bytes_) + " bytes of memory: " + std::strerror(errno));
    ::madvise(memory, bytes_, MADV_NOHUGEPAGE);  // refused by kernels without them, which is as good
    begin_ = static_cast<char*>(memory);
}

FreshMemory::~FreshMemory() {
    ::munmap(begin_, bytes_);
}

std::size_t pageBytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace holos::validation
