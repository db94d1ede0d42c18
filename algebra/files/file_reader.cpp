// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/file_reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace holos::algebra {
namespace {

[[noreturn]] void failWithErrno(const std::string& what, const std::string& file, int error) {
    throw Error(what + ": " + std::strerror(error), Place{.file = file});
}

}  // namespace

FileReader::FileReader(const std::filesystem::path& file) : name_(file.string()) {
    // Non-blocking, so that a named pipe is refused below instead of waited for.
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) failWithErrno("cannot be opened", name_, errno);
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor_);
        throw Error(S_ISDIR(status.st_mode) ? "is a folder, not a file" : "is not a regular file",
                    Place{.file = name_});
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
}

FileReader::~FileReader() {
    ::close(descriptor_);
}

std::string FileReader::read(std::uint64_t offset, std::uint64_t count) const {
    if (offset > size_ || count > size_ - offset) fail("the file ends too early", size_);
    std::string bytes(count, '\0');
    read(offset, count, bytes.data());
    return bytes;
}

void FileReader::read(std::uint64_t offset, std::uint64_t count, char* into) const {
    while (count > 0) {
        const ssize_t got = ::pread(descriptor_, into, count, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) failWithErrno("cannot be read", name_, errno);
        if (got == 0) fail("the file ends too early", offset);
        into += got;
        offset += static_cast<std::uint64_t>(got);
        count -= static_cast<std::uint64_t>(got);
    }
}

void* FileReader::map(std::uint64_t offset, std::uint64_t count) const {
    void* const address =
        ::mmap(nullptr, count, PROT_READ, MAP_SHARED, descriptor_, static_cast<off_t>(offset));
    if (address == MAP_FAILED) failWithErrno("cannot be mapped into memory", name_, errno);
    return address;
}

void FileReader::requirePresent(std::uint64_t offset, std::uint64_t count) const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) failWithErrno("cannot be read", name_, errno);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (offset > size || count > size - offset) fail("the file ends too early", size);
}

void FileReader::fail(const std::string& message, std::uint64_t byte) const {
    throw Error(message, Place{.file = name_, .byte = byte});
}

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
