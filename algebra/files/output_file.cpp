// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "metric-specs/error.h"

namespace holos::algebra {
namespace {

/// What a newly created file may be used for, by the user's wish.
mode_t usualMode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& file)
    : file_(file), temporary_(file.string() + ".XXXXXX") {
    if (std::filesystem::is_directory(file))
        throw Error("is a folder, not a file to write", Place{.file = file.string()});
    descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (descriptor_ < 0) failWithErrno("cannot be written");
}

OutputFile::~OutputFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
    size_ += bytes.size();
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) failWithErrno("cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(done));
    }
}

void OutputFile::rewrite(std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) failWithErrno("cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(done));
        offset += static_cast<std::uint64_t>(done);
    }
}

void OutputFile::commit() {
    ::fchmod(descriptor_, usualMode());
    const int descriptor = std::exchange(descriptor_, -1);
    // Some file systems report only here that the disk is full.
    if (::close(descriptor) == 0 && ::rename(temporary_.c_str(), file_.c_str()) == 0) return;
    const int error = errno;
    ::unlink(temporary_.c_str());
    errno = error;
    failWithErrno("cannot be put in place");
}

void OutputFile::failWithErrno(const char* what) const {
    throw Error(std::string(what) + ": " + std::strerror(errno), Place{.file = file_.string()});
}

}  // namespace holos::algebra
