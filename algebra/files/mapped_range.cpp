// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/mapped_range.h"

#include <sys/mman.h>
#include <unistd.h>

namespace holos::algebra {

MappedRange::MappedRange(std::shared_ptr<const FileReader> file, std::uint64_t offset, std::uint64_t size)
    : file_(std::move(file)), offset_(offset), size_(size) {
    file_->requirePresent(offset, size);
    if (size == 0) return;
    const std::uint64_t lead = offset % static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    mapped_ = size + lead;
    base_ = file_->map(offset - lead, mapped_);
    data_ = static_cast<const char*>(base_) + lead;
}

MappedRange::~MappedRange() {
    if (base_ != nullptr) ::munmap(base_, mapped_);
}

void MappedRange::refresh() const {
    file_->requirePresent(offset_, size_);
    ::madvise(base_, mapped_, MADV_DONTNEED);
}

}  // namespace holos::algebra
