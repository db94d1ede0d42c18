// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/mapped_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tracing/recorder/core/momentary_thread.h"
#include "tracing/recorder/interpose/confinement.h"

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
    /// It may have been removed, or its name may be another file's by now.
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

}  // namespace

int findMappedFile(const void* address, char* path, std::size_t size) noexcept {
    if (!interpose::may(interpose::Need::Files)) return EACCES;
    Request request{address, path, size, EAGAIN};
    runWithOwnFiles(&lookUp, &request);
    return request.result;
}

}  // namespace holos::tracing::core
