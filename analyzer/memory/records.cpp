// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/memory/records.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <system_error>

#include "base/error.h"

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
    /// A larger place for a list, of which the first bytes are in use. Its pages are not copied but get
    /// another address.
    void* grow(void* begin, std::size_t bytes, std::size_t inUse, std::size_t wanted) {
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
        void* const moved = allocate(wanted);
        if (inUse != 0) std::memcpy(moved, begin, inUse);
        if (bytes != 0) deallocate(begin, bytes);
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

void GrowingPlace::reserve(std::size_t capacity, std::size_t used) {
    if (capacity <= capacity_) return;
    if (memory_ == heap()) {
        begin_ = pages().grow(begin_, capacity_, used, capacity);
    } else {
        void* const there = memory_->allocate(capacity);
        if (used != 0) std::memcpy(there, begin_, used);
        release();
        begin_ = there;
    }
    capacity_ = capacity;
}

void trimHeap() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

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
