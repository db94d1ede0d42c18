// SPDX-License-Identifier: BSD-3-Clause
#include "base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/error.h"

namespace holos {
namespace {

constexpr std::size_t kPart = 1U << 16;

std::string sizeText(std::uint64_t bytes) {
    constexpr std::uint64_t kMiB = 1U << 20;
    return bytes % kMiB == 0 ? std::to_string(bytes / kMiB) + " MiB" : std::to_string(bytes) + " bytes";
}

}  // namespace

Descriptor openRegular(const std::filesystem::path& file) {
    Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!in || ::fstat(in.number(), &status) != 0) return {};
    if (S_ISREG(status.st_mode)) return in;
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return {};
}

std::size_t readAt(const Descriptor& file, void* data, std::size_t bytes, std::uint64_t offset) {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t got = ::pread(file.number(), static_cast<char*>(data) + done, bytes - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::optional<std::uint64_t> dataFrom(const Descriptor& file, std::uint64_t offset) {
    const off_t found = ::lseek(file.number(), static_cast<off_t>(offset), SEEK_DATA);
    if (found >= 0) return static_cast<std::uint64_t>(found);
    return errno == ENXIO ? std::nullopt : std::optional(offset);
}

std::string readText(const std::filesystem::path& file, std::uint64_t largest, const std::string& expected) {
    const auto refuse = [&](const std::string& why) -> void {
        throw Error(why + "; expected " + expected, Place{.file = file.string()});
    };
    const auto refuseWithErrno = [&](const char* what) {
        refuse(std::string(what) + ": " + std::strerror(errno));
    };
    // Without waiting for the other end of a named pipe.
    const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!in && errno == ENOENT) refuse("there is no such file");
    if (!in) refuseWithErrno("cannot be opened for reading");
    struct stat status {};
    if (::fstat(in.number(), &status) != 0) refuseWithErrno("cannot be read");
    if (S_ISDIR(status.st_mode)) refuse("is a directory");
    if (!S_ISREG(status.st_mode)) refuse("is not a regular file");
    const auto refuseLarge = [&] { refuse("is larger than " + sizeText(largest)); };
    if (static_cast<std::uint64_t>(status.st_size) > largest) refuseLarge();
    // Files of the kernel say that they are empty: what counts is what can be read.
    std::string text(static_cast<std::size_t>(status.st_size) + 1, '\0');
    for (std::size_t filled = 0;;) {
        if (filled == text.size()) text.resize(filled + kPart);
        const ssize_t got = ::read(in.number(), text.data() + filled, text.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuseWithErrno("cannot be read");
        filled += static_cast<std::size_t>(got);
        if (filled > largest) refuseLarge();
        if (got > 0) continue;
        text.resize(filled);
        return text;
    }
}

}  // namespace holos
