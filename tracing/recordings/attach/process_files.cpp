// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/process_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/process_identity.h"
#include "tracing/recordings/format/word_sum.h"
#include "tracing/recordings/format/write_lock.h"

namespace holos::attach {
namespace {

using tracing::DefinitionKind;

[[noreturn]] void fail(const std::filesystem::path& file) {
    throw Error(std::strerror(errno), {.file = file.string()});
}

int openNew(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) fail(path);
    return file;
}

std::string hostName() {
    char host[HOST_NAME_MAX + 1] = {};
    ::gethostname(host, sizeof host - 1);
    return host;
}

void writeAll(int file, const void* data, std::size_t bytes, std::uint64_t offset,
              const std::filesystem::path& path) {
    if (::pwrite(file, data, bytes, static_cast<off_t>(offset)) != static_cast<ssize_t>(bytes)) fail(path);
}

}  // namespace

ProcessFiles::ProcessFiles(const std::filesystem::path& recording, const std::string& run, pid_t process,
                           const ProgramFacts& program) {
    makeFolder(recording, process);
    proveLife(run, program.rank);
    definitions_ = openNew(folder_ / "definitions");
    events_ = openNew(folder_ / "events");
    writeStatus();
    describe(process, program);
    noteClock();
}

ProcessFiles::~ProcessFiles() {
    for (auto& [location, chunk] : chunks_)
        if (chunk.begin != nullptr) ::munmap(chunk.begin, chunk.bytes);
    for (const int file : {alive_, definitions_, events_})
        if (file >= 0) ::close(file);
}

/// The process may have had other programs before, each with a number of its own.
void ProcessFiles::makeFolder(const std::filesystem::path& recording, pid_t process) {
    const std::string name = hostName() + '.' + std::to_string(process) + '.';
    for (int number = 0;; ++number) {
        folder_ = recording / (name + std::to_string(number));
        if (std::filesystem::create_directory(folder_)) return;
    }
}

void ProcessFiles::proveLife(const std::string& run, std::int64_t rank) {
    const auto path = folder_ / "alive";
    alive_ = openNew(path);
    const bool isLocked = tracing::core::takeWriteLock(alive_);
    char text[512];
    const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, run.c_str(), rank, isLocked);
    writeAll(alive_, text, bytes, 0, path);
}

void ProcessFiles::describe(pid_t process, const ProgramFacts& program) {
    Definition facts(DefinitionKind::Process);
    facts.add(tracing::kFormatVersion).add(static_cast<std::uint32_t>(tracing::kChunkBytes));
    facts.add(static_cast<std::uint64_t>(process)).add(program.rank);
    facts.addText(hostName()).addText(tracing::thisProcess().boot);
    facts.addText(program.executable.empty() ? "unknown" : program.executable);
    facts.addText(tracing::clockName()).add(static_cast<std::uint32_t>(program.arguments.size()));
    for (const auto& one : program.arguments) facts.addText(one);
    define(facts);
}

void ProcessFiles::noteClock() {
    const tracing::ClockSync sync = tracing::synchronizeClocks();
    Definition clock(DefinitionKind::ClockSync);
    define(clock.add(sync.ticks).add(sync.monotonic).add(sync.realtime));
}

void ProcessFiles::keepTime(std::uint64_t now) {
    constexpr std::uint64_t kSecond = 1'000'000'000;
    if (clockNotedAt_ != 0 && now - clockNotedAt_ < kSecond) return;
    clockNotedAt_ = now;
    noteClock();
}

void ProcessFiles::define(Definition& entry) {
    const auto bytes = entry.bytes();
    const auto length = static_cast<std::uint32_t>(bytes.size() - sizeof(std::uint32_t));
    std::memcpy(bytes.data(), &length, sizeof length);
    const std::size_t begin = written_.size();
    written_.insert(written_.end(), bytes.begin(), bytes.end());
    written_.resize(begin + tracing::entryBytes(length));
    writeAll(definitions_, written_.data() + begin, written_.size() - begin, begin, folder_ / "definitions");
}

void ProcessFiles::begin(Chunk& chunk, std::uint32_t location) {
    const auto path = folder_ / "events";
    const std::size_t bytes = std::clamp(4 * chunk.bytes, tracing::kUnitBytes, tracing::kChunkBytes);
    close(location, chunk);
    const auto offset = static_cast<off_t>(eventBytes_);
    if (const int error = ::posix_fallocate(events_, offset, static_cast<off_t>(bytes)); error != 0) {
        errno = error;
        fail(path);
    }
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, events_, offset);
    if (memory == MAP_FAILED) fail(path);
    chunk.offset = eventBytes_;
    eventBytes_ += bytes;
    chunk.begin = static_cast<std::uint64_t*>(memory);
    chunk.next = chunk.begin + 1;
    chunk.end = chunk.begin + bytes / sizeof *chunk.end;
    chunk.bytes = bytes;
    *chunk.begin = tracing::chunkHead(location, bytes);
}

void ProcessFiles::close(std::uint32_t location, Chunk& chunk) {
    if (chunk.begin == nullptr) return;
    prove(location, chunk);
    ::munmap(chunk.begin, chunk.bytes);
    chunk.begin = nullptr;
}

/// What the file must have there (`core/chunk_proof.h`).
void ProcessFiles::prove(std::uint32_t location, const Chunk& chunk) {
    const auto words = static_cast<std::uint32_t>(chunk.next - chunk.begin - 1);
    Definition proof(DefinitionKind::Chunk);
    proof.add(location).add(chunk.offset).add(static_cast<std::uint32_t>(chunk.bytes));
    define(proof.add(words).add(tracing::sumOfSomeWords(chunk.begin + 1, words)));
}

/// Network file systems say here that they refuse what they have taken before.
void ProcessFiles::closeFiles() {
    for (int* const file : {&events_, &definitions_})
        if (::close(std::exchange(*file, -1)) != 0 && errno != EINTR)
            status_.lateFailure = static_cast<std::uint64_t>(errno);
}

void ProcessFiles::record(std::uint32_t location, std::uint64_t headerWord,
                          std::span<const std::uint64_t> words) {
    Chunk& chunk = chunks_[location];
    while (static_cast<std::size_t>(chunk.end - chunk.next) < words.size() + 1) begin(chunk, location);
    std::ranges::copy(words, chunk.next + 1);
    __atomic_store_n(chunk.next, headerWord, __ATOMIC_RELEASE);
    chunk.next += words.size() + 1;
}

void ProcessFiles::writeStatus() {
    const auto path = folder_ / "status";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) fail(path);
    const bool isWritten = ::pwrite(file, &status_, sizeof status_, 0) == sizeof status_;
    ::close(file);
    if (!isWritten) fail(path);
}

void ProcessFiles::end() {
    noteClock();
    for (auto& [location, chunk] : chunks_) close(location, chunk);
    status_.definitionBytes = written_.size();
    status_.definitionSum = tracing::sumOfBytes(written_.data(), written_.size());
    closeFiles();
    status_.ended = 1;
    status_.eventBytes = eventBytes_;
    writeStatus();
}

}  // namespace holos::attach
