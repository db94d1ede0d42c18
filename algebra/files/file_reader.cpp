// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

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

void FileReader::requirePresent(std::uint64_t offset, std::uint64_t count) const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) failWithErrno("cannot be read", name_, errno);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (offset > size || count > size - offset) fail("the file ends too early", size);
}

void FileReader::fail(const std::string& message, std::uint64_t byte) const {
    throw Error(message, Place{.file = name_, .byte = byte});
}

namespace {

constexpr std::uint64_t kBlock = std::uint64_t{1} << 15;
/// As many files as one thread passes through at the same time without reading a block twice.
constexpr std::size_t kKeptBlocks = 32;

struct KeptBlock {
    std::uint64_t part = 0;  ///< 0: none
    std::uint64_t number = 0;
    std::unique_ptr<char[]> bytes;
};

/// The blocks that a thread read last.
struct KeptBlocks {
    std::array<KeptBlock, kKeptBlocks> blocks;
    std::size_t last = 0;  ///< the one used last
    std::size_t next = 0;  ///< the one to give up first

    KeptBlock* find(std::uint64_t part, std::uint64_t number) {
        const auto isIt = [&](const KeptBlock& block) {
            return block.part == part && block.number == number;
        };
        if (isIt(blocks[last])) return &blocks[last];
        const auto found = std::ranges::find_if(blocks, isIt);
        if (found == blocks.end()) return nullptr;
        last = static_cast<std::size_t>(found - blocks.begin());
        return &*found;
    }
    KeptBlock& giveUpOne() {
        last = std::exchange(next, (next + 1) % kKeptBlocks);
        KeptBlock& block = blocks[last];
        if (!block.bytes) block.bytes = std::make_unique_for_overwrite<char[]>(kBlock);
        block.part = 0;
        return block;
    }
};

std::uint64_t newPart() {
    static std::atomic<std::uint64_t> parts{0};
    return ++parts;
}

}  // namespace

FilePart::FilePart(std::shared_ptr<const FileReader> file, std::uint64_t offset, std::uint64_t size)
    : file_(std::move(file)), offset_(offset), size_(size), number_(newPart()) {
    file_->requirePresent(offset, size);
}

void FilePart::read(std::uint64_t at, std::uint64_t count, char* into) const {
    if (count >= kBlock / 2) return file_->read(offset_ + at, count, into);
    while (count > 0) {
        const std::uint64_t begin = at % kBlock;
        const std::uint64_t piece = std::min(count, kBlock - begin);
        std::memcpy(into, block(at / kBlock) + begin, piece);
        at += piece;
        into += piece;
        count -= piece;
    }
}

const char* FilePart::block(std::uint64_t number) const {
    thread_local KeptBlocks kept;
    if (const KeptBlock* known = kept.find(number_, number)) return known->bytes.get();
    KeptBlock& block = kept.giveUpOne();
    const std::uint64_t begin = number * kBlock;
    file_->read(offset_ + begin, std::min(kBlock, size_ - begin), block.bytes.get());
    block.part = number_;
    block.number = number;
    return block.bytes.get();
}

}  // namespace holos::algebra
