// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/memory/record_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <system_error>

#include "base/error.h"

namespace holos::analyzer {

namespace {

std::size_t wholePages(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

/// What the process has in memory now.
std::uint64_t residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    file >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// A file that is gone when it is closed.
int openUnnamed(const std::filesystem::path& folder) {
    const int direct = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (direct >= 0) return direct;
    std::string name = (folder / "holos-records-XXXXXX").string();
    const int named = mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0) unlink(name.c_str());
    return named;
}

}  // namespace

RecordFile::RecordFile(std::uint64_t limit, const std::filesystem::path& folder)
    : limit_(limit), folder_(folder), file_(openUnnamed(folder)) {
    if (file_ < 0) fail("no file for records can be made there", errno);
    watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

RecordFile::~RecordFile() {
    watcher_.request_stop();
    watcher_.join();
    for (const auto& [begin, part] : parts_) munmap(begin, part.bytes);
    close(file_);
}

std::uint64_t RecordFile::largest() const {
    const std::lock_guard lock(mutex_);
    return largest_;
}

std::uint64_t RecordFile::evictions() const {
    const std::lock_guard lock(mutex_);
    return evictions_;
}

void RecordFile::fail(const char* doing, int error) const {
    throw Error(std::string(doing) + ": " + std::generic_category().message(error) +
                    "; choose another folder with TMPDIR, or a larger limit",
                Place{.file = folder_.string()});
}

void* RecordFile::do_allocate(std::size_t bytes, std::size_t alignment) {
    if (bytes < kSmallest) return heap()->allocate(bytes, alignment);
    const std::size_t size = wholePages(bytes);
    const std::lock_guard lock(mutex_);
    // Room on the disk is taken now, because there is no way to report later that there is none.
    const int error = posix_fallocate(file_, static_cast<off_t>(end_), static_cast<off_t>(size));
    if (error != 0) fail("no room for records", error);
    void* begin = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(end_));
    if (begin == MAP_FAILED) fail("records cannot be mapped into memory", errno);
    parts_[begin] = {size, end_};
    end_ += size;
    inFile_ += size;
    largest_ = std::max(largest_, inFile_);
    return begin;
}

void RecordFile::do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) {
    if (bytes < kSmallest) return heap()->deallocate(begin, bytes, alignment);
    const std::lock_guard lock(mutex_);
    const auto found = parts_.find(begin);
    const Part part = found->second;
    parts_.erase(found);
    inFile_ -= part.bytes;
    munmap(begin, part.bytes);
    // The disk's room is given back; a file system that cannot keeps it until the end.
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(part.offset),
              static_cast<off_t>(part.bytes));
}

void RecordFile::watch(const std::stop_token& stop) {
    using namespace std::chrono_literals;
    constexpr auto kShortest = 2ms;
    constexpr auto kLongest = 64ms;
    auto pause = kShortest;
    while (!stop.stop_requested()) {
        if (residentBytes() > limit_) {
            evict();
            // What is left is not ours to take out: no use in trying as often.
            pause = residentBytes() > limit_ ? std::min(2 * pause, kLongest) : kShortest;
        }
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, stop, pause, [] { return false; });
    }
}

void RecordFile::evict() {
    const std::lock_guard lock(mutex_);
    if (parts_.empty()) return;
    for (const auto& [begin, part] : parts_) madvise(begin, part.bytes, MADV_DONTNEED);
    ++evictions_;
}

}  // namespace holos::analyzer
