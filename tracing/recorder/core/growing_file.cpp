// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/growing_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/taken_signal.h"

namespace holos::tracing::core {
namespace {

/// `55d0-55e0 rw-s 00001000 fe:00 1234567      /folder/file`, with newlines in the path as \012.
struct Line {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::uint64_t inode = 0;
    char* path = nullptr;

    bool parse(char* text) noexcept {
        char* rest = nullptr;
        begin = std::strtoull(text, &rest, 16);
        if (*rest != '-') return false;
        end = std::strtoull(rest + 1, &rest, 16);
        constexpr int kFieldsBetween = 3;  // permissions, offset, device
        for (int i = 0; rest != nullptr && i < kFieldsBetween; ++i) rest = std::strchr(rest + 1, ' ');
        if (rest == nullptr) return false;
        inode = std::strtoull(rest, &rest, 10);
        path = std::strchr(rest, '/');
        return path != nullptr;
    }
};

class Search {
  public:
    explicit Search(const void* address) noexcept : address_(reinterpret_cast<std::uintptr_t>(address)) {}

    const char* path() const noexcept { return path_; }

    int run() noexcept {
        file_ = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
        if (file_ < 0) return errno;
        int result = ENOENT;
        while (char* const text = nextLine()) {
            Line line;
            if (!line.parse(text) || address_ < line.begin || address_ >= line.end) continue;
            result = take(line);
            break;
        }
        ::close(file_);
        return result;
    }

  private:
    /// Null at the end.
    char* nextLine() noexcept {
        std::memmove(buffer_, buffer_ + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        for (;;) {
            if (auto* const newline = static_cast<char*>(std::memchr(buffer_, '\n', end_))) {
                *newline = '\0';
                begin_ = static_cast<std::size_t>(newline - buffer_) + 1;
                return buffer_;
            }
            const ssize_t more = ::read(file_, buffer_ + end_, sizeof buffer_ - end_);
            if (more <= 0) return nullptr;
            end_ += static_cast<std::size_t>(more);
        }
    }
    /// Opens the file of a line, which may have been removed, or whose name may be another file's by now.
    int take(const Line& line) noexcept {
        char* to = path_;
        for (const char* from = line.path; *from != '\0'; ++to) {
            if (to + 1 == path_ + sizeof path_) return ENAMETOOLONG;
            const bool isNewline = std::strncmp(from, "\\012", 4) == 0;
            *to = isNewline ? '\n' : *from;
            from += isNewline ? 4 : 1;
        }
        *to = '\0';
        struct stat facts {};
        if (::stat(path_, &facts) != 0) return errno;
        return facts.st_ino == line.inode ? 0 : ENOENT;
    }

    std::uintptr_t address_;
    char path_[PATH_MAX] = {};
    int file_ = -1;
    char buffer_[2 * PATH_MAX + 256];  ///< longer than any line
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

struct Request {
    const void* address;
    char* path;
    std::size_t size;
    int result;
};

/// The caller's stack may be a small one.
void lookUp(void* data) {
    auto& request = *static_cast<Request*>(data);
    Search search(request.address);
    request.result = search.run();
    if (request.result != 0) return;
    if (std::strlen(search.path()) < request.size)
        std::strcpy(request.path, search.path());
    else
        request.result = ENAMETOOLONG;
}

/// The path of the file that is mapped at the address, also where the file or its folder was renamed since.
/// Takes no descriptor of the program, and nothing from its heap. Returns 0 or an errno: ENOENT where the
/// file was removed.
int findMappedFile(const void* address, char* path, std::size_t size) noexcept {
    if (!interpose::may(interpose::Need::Files)) return EACCES;
    Request request{address, path, size, EAGAIN};
    runWithOwnFiles(&lookUp, &request);
    return request.result;
}

}  // namespace

}  // namespace holos::tracing::core

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14
#endif

namespace holos::tracing::core {
namespace {

std::size_t pageBytes() noexcept {
    static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
}

/// The kernel says "bad address" for all that went wrong. Errors of the disk are rarer than a full one.
int reasonAt(const char* path) noexcept {
    struct statfs facts {};
    constexpr std::uint64_t kPlenty = std::uint64_t{64} << 20;
    const bool hasRoom =
        ::statfs(path, &facts) == 0 && static_cast<std::uint64_t>(facts.f_bavail) * facts.f_bsize > kPlenty;
    return hasRoom ? EIO : ENOSPC;
}

/// Maps the pages at `from`, and those behind them, once more.
void* mapAgain(void* from, std::size_t bytes) noexcept {
    void* const memory = ::mremap(from, 0, bytes, MREMAP_MAYMOVE);
    return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

std::uint64_t largestFile() noexcept {
    rlimit limit{};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur
                                                                                     : UINT64_MAX;
}

/// Its pages are counted against what the system has now, and not when they are written to.
int mapShared(std::size_t bytes, void** address) noexcept {
    const KeepErrno keep;
    if (!interpose::may(interpose::Need::Storage)) return EACCES;
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) return errno;
    *address = memory;
    return 0;
}

void unmapShared(void* address, std::size_t bytes) noexcept {
    const KeepErrno keep;
    forgetMapping(address);
    ::munmap(address, bytes);
}

int GrowingFile::create(Kind kind, const char* path, std::size_t step) noexcept {
    const KeepErrno keep;
    kind_ = kind;
    step_ = step;
    std::snprintf(path_, sizeof path_, "%s", path);
    return kind == Kind::Mapped ? createFile() : createMemory();
}

int GrowingFile::createFile() noexcept {
    if (largestFile() < pageBytes()) return EFBIG;
    const int file = createOwnFile(path_, O_RDWR);
    if (file < 0) return errno;
    const int error = ::ftruncate(file, static_cast<off_t>(pageBytes())) != 0 ? errno : anchor(file);
    ::close(file);
    if (error != 0) return error;
    size_.store(pageBytes(), std::memory_order_release);
    return populate(anchors_[0].load(), pageBytes());
}

/// As large as ever needed: what is not written takes nothing.
int GrowingFile::createMemory() noexcept {
    const int file = ::memfd_create("holos", MFD_CLOEXEC);
    if (file < 0) return errno;
    const std::uint64_t size = std::min(largestFile(), kSpacing * kMostAnchors);
    const int error = ::ftruncate(file, static_cast<off_t>(size)) != 0 ? errno : anchor(file);
    ::close(file);
    if (error == 0) size_.store(size, std::memory_order_release);
    return error;
}

int GrowingFile::anchor(int file) noexcept {
    void* const memory = ::mmap(nullptr, pageBytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) return errno;
    anchors_[0].store(memory, std::memory_order_release);
    return 0;
}

int GrowingFile::map(std::uint64_t offset, std::size_t bytes, void** address) noexcept {
    const KeepErrno keep;
    if (!interpose::may(interpose::Need::Storage)) return EACCES;
    if (const int error = growTo(offset + bytes); error != 0) return error;
    void* const from = anchorAt(offset / kSpacing);
    const std::size_t before = offset % kSpacing;
    void* const all = from != nullptr ? mapAgain(from, before + bytes) : nullptr;
    if (all == nullptr) return ENOMEM;
    if (before != 0) ::munmap(all, before);
    void* const memory = static_cast<char*>(all) + before;
    if (const int error = populate(memory, bytes); error != 0) {
        ::munmap(memory, bytes);
        return error;
    }
    if (kind_ == Kind::Mapped) guardMapping(memory, bytes);
    *address = memory;
    return 0;
}

int GrowingFile::growTo(std::uint64_t bytes) noexcept {
    if (size_.load(std::memory_order_acquire) >= bytes) return 0;
    const std::uint64_t most = largestFile();
    if (kind_ == Kind::Copied || bytes > most) return EFBIG;
    while (isGrowing_.exchange(true, std::memory_order_acquire)) ::sched_yield();
    int error = 0;
    if (size_.load(std::memory_order_relaxed) < bytes) {
        const std::uint64_t size = std::max(bytes, std::min(most, (bytes / step_ + 1) * step_));
        error = resize(size);
        if (error == 0) size_.store(size, std::memory_order_release);
    }
    isGrowing_.store(false, std::memory_order_release);
    return error;
}

/// Where its folder was moved, by its new name.
int GrowingFile::resize(std::uint64_t bytes) noexcept {
    if (::truncate(path_, static_cast<off_t>(bytes)) == 0) return 0;
    const int error = errno;
    if (error != ENOENT && error != ENOTDIR) return error;
    if (findMappedFile(anchors_[0].load(), path_, sizeof path_) != 0) return error;
    return ::truncate(path_, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

void* GrowingFile::anchorAt(std::size_t number) noexcept {
    if (number >= kMostAnchors) return nullptr;
    std::size_t known = number;
    while (anchors_[known].load(std::memory_order_acquire) == nullptr) --known;
    for (; known != number; ++known) {
        void* const all = mapAgain(anchors_[known].load(), kSpacing + pageBytes());
        if (all == nullptr) return nullptr;
        ::munmap(all, kSpacing);
        void* const next = static_cast<char*>(all) + kSpacing;
        void* none = nullptr;
        if (!anchors_[known + 1].compare_exchange_strong(none, next)) ::munmap(next, pageBytes());
    }
    return anchors_[number].load();
}

/// Old kernels cannot do so with memory, which comes with the first store then.
int GrowingFile::populate(void* address, std::size_t bytes) const noexcept {
    if (::madvise(address, bytes, MADV_POPULATE_WRITE) == 0) return 0;
    if (kind_ == Kind::Copied) return errno == EINVAL ? 0 : ENOMEM;
    if (errno == EFAULT) return reasonAt(path_);
    return errno == EINVAL ? ENOTSUP : errno;
}

}  // namespace holos::tracing::core

namespace holos::tracing::core {
namespace {

using interpose::TakenSignal;

constinit TakenSignal busSignal(SIGBUS, TakenSignal::Manner::Programs);
std::atomic<bool> isGuarded{false};

enum class State : std::uint8_t { File, Changing, Memory };

struct Mapping {
    std::atomic<std::uintptr_t> begin{0};  ///< 0: free
    std::atomic<std::size_t> bytes{0};     ///< 0 while it is being entered
    std::atomic<State> state{State::File};

    bool has(std::uintptr_t address) const noexcept {
        const std::uintptr_t from = begin.load(std::memory_order_acquire);
        return from != 0 && address >= from && address - from < bytes.load(std::memory_order_acquire);
    }
};

/// Never freed: who looks through all of them takes no lock.
struct Block {
    std::array<Mapping, 512> mappings;
    std::atomic<Block*> next{nullptr};
};
constinit Block first{};

/// The first one for which `is` holds; null where there is none.
template <class Is>
Mapping* find(const Is& is) noexcept {
    for (Block* block = &first; block != nullptr; block = block->next.load(std::memory_order_acquire))
        for (Mapping& one : block->mappings)
            if (is(one)) return &one;
    return nullptr;
}

void addBlock() noexcept {
    void* const memory = allocate(sizeof(Block));
    if (memory == nullptr) return;
    auto* const made = new (memory) Block;
    Block* last = &first;
    for (Block* none = nullptr; !last->next.compare_exchange_strong(none, made); none = nullptr)
        last = last->next.load();
}

/// What cannot be read is zero.
void copyPages(char* to, std::uintptr_t from, std::size_t bytes) noexcept {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (std::size_t at = 0; at < bytes; at += page) {
        const iovec here{to + at, page};
        const iovec there{reinterpret_cast<void*>(from + at), page};  // NOLINT(performance-no-int-to-ptr)
        ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0);
    }
}

/// Memory in place of the file, at once. Shared, as the file was: children tell their parent something there.
bool putMemory(std::uintptr_t begin, std::size_t bytes) noexcept {
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    copyPages(static_cast<char*>(memory), begin, bytes);
    void* const place = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
    return ::mremap(memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
}

/// False where the fault has another reason.
bool replace(Mapping& mapping) noexcept {
    State state = State::File;
    if (!mapping.state.compare_exchange_strong(state, State::Changing)) {
        if (state == State::Memory) return false;
        while (mapping.state.load(std::memory_order_acquire) == State::Changing) continue;
        return mapping.state.load() == State::Memory;
    }
    const bool good = putMemory(mapping.begin.load(), mapping.bytes.load());
    mapping.state.store(good ? State::Memory : State::File, std::memory_order_release);
    return good;
}

/// What the handler does itself may meet another part of the file.
void letSignalThrough() noexcept {
    sigset_t only;
    ::sigemptyset(&only);
    ::sigaddset(&only, SIGBUS);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

bool isRepaired(const siginfo_t& info) noexcept {
    if (info.si_code != BUS_ADRERR || !mayAskKernel()) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
    Mapping* const mapping = find([&](const Mapping& one) { return one.has(address); });
    if (mapping == nullptr || !replace(*mapping)) return false;
    letSignalThrough();
    fail(EIO);
    return true;
}

void handle(int, siginfo_t* info, void* context) {
    const int saved = errno;
    const bool isOurs = isRepaired(*info);
    errno = saved;
    if (!isOurs) busSignal.passOn(info, context);
}

}  // namespace

void guardStorage() noexcept {
    const KeepErrno keep;
    isGuarded.store(busSignal.take(&handle));
}

void guardMapping(void* begin, std::size_t bytes) noexcept {
    if (!isGuarded.load(std::memory_order_relaxed)) return;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const auto take = [&](Mapping& one) {
        std::uintptr_t none = 0;
        return one.begin.load(std::memory_order_relaxed) == 0 &&
               one.begin.compare_exchange_strong(none, address);
    };
    Mapping* mine = find(take);
    if (mine == nullptr) {
        addBlock();
        mine = find(take);
    }
    if (mine == nullptr) return;
    mine->state.store(State::File, std::memory_order_relaxed);
    mine->bytes.store(bytes, std::memory_order_release);
}

void forgetMapping(void* begin) noexcept {
    if (!isGuarded.load(std::memory_order_relaxed)) return;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    Mapping* const mine = find([&](const Mapping& one) { return one.begin.load() == address; });
    if (mine == nullptr) return;
    mine->bytes.store(0, std::memory_order_relaxed);
    mine->begin.store(0, std::memory_order_release);
}

}  // namespace holos::tracing::core
