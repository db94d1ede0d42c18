// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/many_files.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"

namespace holos::archive {

void writePlainFile(const fs::path& path, std::string_view text) {
    errno = 0;
    std::ofstream file(path);
    file << text;
    file.close();  // some file systems only say here that the disk is full
    if (!file)
        throw Error("cannot be written: " + std::generic_category().message(errno), {.file = path.string()});
}

namespace fs = std::filesystem;

namespace {

/// Where files have their place on the disk before the first of them is waited for, one write of the file
/// system's journal is enough for all.
void beginToWrite(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file) ::sync_file_range(file.number(), 0, 0, SYNC_FILE_RANGE_WRITE);
}

/// Everything below a folder by its depth, the deepest first. Links are not followed.
std::map<int, std::vector<fs::path>, std::greater<>> pathsBelow(const fs::path& folder) {
    std::map<int, std::vector<fs::path>, std::greater<>> paths;
    std::error_code none;
    if (!fs::is_directory(fs::symlink_status(folder, none))) return paths;
    for (auto at = fs::recursive_directory_iterator(folder, none); at != fs::recursive_directory_iterator();
         at.increment(none))
        paths[at.depth()].push_back(at->path());
    return paths;
}

}  // namespace

void forManyFiles(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto tryOne = [&](std::size_t i) {
        try {
            work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            next = count;
        }
    };
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) tryOne(i);
    };
    {
        std::vector<std::jthread> helpers;
        try {
            while (helpers.size() + 1 < std::min(count, kFilesAtOnce)) helpers.emplace_back(run);
        } catch (const std::system_error&) {
            // Fewer threads do as well.
        }
        run();
    }
    if (failure) std::rethrow_exception(failure);
}

/// What is removed by others meanwhile, or comes, is left to the last step.
void removeAll(const fs::path& path) {
    for (const auto& [depth, paths] : pathsBelow(path))
        forManyFiles(paths.size(), [&paths = paths](std::size_t i) {
            std::error_code later;
            fs::remove(paths[i], later);
        });
    fs::remove_all(path);
}

void removeAll(const fs::path& path, std::error_code& error) noexcept try {
    removeAll(path);
} catch (const fs::filesystem_error& thrown) {
    error = thrown.code();
} catch (const std::exception&) {
    error = std::make_error_code(std::errc::not_enough_memory);
}

void sync(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file) throw Error(std::strerror(errno), {.file = path.string()});
    const int error = ::fsync(file.number()) != 0 ? errno : 0;
    if (error == EIO || error == ENOSPC || error == EDQUOT)
        throw Error("cannot be written: " + std::string(std::strerror(error)), {.file = path.string()});
}

void syncAll(const fs::path& folder) {
    std::vector<fs::path> paths{folder};
    for (const auto& entry : fs::recursive_directory_iterator(folder)) paths.push_back(entry.path());
    forManyFiles(paths.size(), [&](std::size_t i) { beginToWrite(paths[i]); });
    forManyFiles(paths.size(), [&](std::size_t i) { sync(paths[i]); });
}

}  // namespace holos::archive
