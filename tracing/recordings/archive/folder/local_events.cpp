// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/local_events.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/many_files.h"

namespace holos::archive {
namespace {

constexpr const char* kEvents = "events";
constexpr const char* kArriving = "events.new";  ///< on the way home

/// Where a process's link leads, if the recorder made it: links that anybody else put there lead nowhere.
std::optional<fs::path> localPlaceOf(const fs::path& process) {
    std::error_code none;
    if (!fs::is_symlink(fs::symlink_status(process / kEvents, none))) return std::nullopt;
    const fs::path place = fs::read_symlink(process / kEvents, none);
    const auto note = readNote(process / "alive");
    const bool isOurs = note && place.is_absolute() && place.filename() == kEvents &&
                        place.parent_path().filename() == process.filename() &&
                        place.parent_path().parent_path().filename() == "holos-" + note->run;
    return isOurs ? std::optional(place) : std::nullopt;
}

Descriptor openHere(const fs::path& place) {
    Descriptor file(::open(place.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts {};
    const bool isFile = file && ::fstat(file.number(), &facts) == 0 && S_ISREG(facts.st_mode);
    return isFile ? std::move(file) : Descriptor();
}

[[noreturn]] void fail(const fs::path& place) {
    throw Error("cannot be moved into the recording: " + std::string(std::strerror(errno)) +
                    "; it stays there until 'holos analyze' can do so, on this machine",
                {.file = place.string()});
}

/// What a file system does not have, because nothing was written there, is left out.
bool copyAll(int from, int to) {
    struct stat facts {};
    if (::fstat(from, &facts) != 0 || ::ftruncate(to, facts.st_size) != 0) return false;
    std::vector<char> buffer(std::size_t{1} << 20);
    for (off_t at = 0; at < facts.st_size;) {
        const off_t data = ::lseek(from, at, SEEK_DATA);
        if (data < 0 && errno == ENXIO) return true;  // nothing but a hole
        at = data < 0 ? at : data;
        const ssize_t read = ::pread(from, buffer.data(), buffer.size(), at);
        if (read < 0 && errno == EINTR) continue;
        if (read <= 0) return read == 0;
        for (ssize_t done = 0; done < read;) {
            const ssize_t more =
                ::pwrite(to, buffer.data() + done, static_cast<std::size_t>(read - done), at + done);
            if (more == 0) errno = ENOSPC;
            if (more == 0 || (more < 0 && errno != EINTR)) return false;
            if (more > 0) done += more;
        }
        at += read;
    }
    return true;
}

/// Removes the file, and the folders around it, which are empty then.
void removeFrom(const fs::path& place) noexcept {
    ::unlink(place.c_str());
    ::rmdir(place.parent_path().c_str());
    ::rmdir(place.parent_path().parent_path().c_str());
}

/// Who has the file's lock moves it; whoever comes later finds no link any more.
void bringHome(const fs::path& process, const fs::path& place) {
    const Descriptor from = openHere(place);
    if (!from) return;  // on another machine, or just moved
    struct flock lock {};
    lock.l_type = F_WRLCK;
    while (::fcntl(from.number(), F_OFD_SETLKW, &lock) != 0)
        if (errno != EINTR) break;  // a file system without locks: there is one command then, as a rule
    if (!localPlaceOf(process)) return;
    const fs::path arriving = process / kArriving;
    constexpr mode_t kAsTheUserLets = 0666;
    const Descriptor to(
        ::open(arriving.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, kAsTheUserLets));
    const bool isThere = to && copyAll(from.number(), to.number()) && ::fsync(to.number()) == 0 &&
                         ::rename(arriving.c_str(), (process / kEvents).c_str()) == 0;
    if (!isThere) {
        const int reason = errno;
        ::unlink(arriving.c_str());
        errno = reason;
        fail(place);
    }
    sync(process);
    removeFrom(place);
}

}  // namespace

void bringEventsHome(const fs::path& recording, bool all) {
    const std::vector<fs::path> processes = processFolders(recording);
    forManyFiles(processes.size(), [&](std::size_t i) {
        const auto place = localPlaceOf(processes[i]);
        if (!place) return;
        const Life life = lifeOfRecorded(processes[i]);
        if (life == Life::Ended || (all && life == Life::Unknown)) bringHome(processes[i], *place);
    });
}

std::string distantPlaceOf(const fs::path& process) {
    const auto place = localPlaceOf(process);
    if (!place || openHere(*place)) return {};
    const auto note = readNote(process / "alive");
    return note->host + " in " + place->parent_path().string();
}

DistantEvents distantEvents(const fs::path& recording) {
    DistantEvents found;
    for (const fs::path& process : processFolders(recording)) {
        std::string place = distantPlaceOf(process);
        if (place.empty()) continue;
        ++found.processes;
        if (found.example.empty()) found.example = std::move(place);
    }
    return found;
}

void removeLocalEvents(const fs::path& recording) noexcept try {
    for (const fs::path& process : processFolders(recording))
        if (const auto place = localPlaceOf(process); place && openHere(*place)) removeFrom(*place);
} catch (const std::exception&) {  // what is left there is of no use, and does no harm
}

}  // namespace holos::archive
