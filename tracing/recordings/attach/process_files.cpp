// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/process_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/host_name.h"
#include "base/number.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/process_identity.h"
#include "tracing/recordings/format/record.h"
#include "tracing/recordings/format/settings.h"

namespace holos::attach {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(pid_t process) {
    return fs::path("/proc") / std::to_string(process);
}

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<pid_t> numbersIn(const fs::path& folder) {
    std::vector<pid_t> numbers;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (const auto number = asNumber<pid_t>(name)) numbers.push_back(*number);
    }
    std::ranges::sort(numbers);
    return numbers;
}

/// Separated by NULs, as arguments and environments are.
std::vector<std::string> wordsIn(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size(); at += words.back().size() + 1)
        words.emplace_back(text.c_str() + at);
    return words;
}

/// Of one thread (proc(5), `children`).
void addChildren(pid_t process, pid_t thread, std::vector<pid_t>& all) {
    std::ifstream file(folderOf(process) / "task" / std::to_string(thread) / "children");
    for (pid_t child = 0; file >> child;) all.push_back(child);
}

/// While a process begins another program, the kernel shows neither its arguments nor its environment.
std::string argumentsOf(pid_t process) {
    constexpr int kMostLooks = 100;
    std::string arguments;
    for (int looks = 0; looks < kMostLooks && arguments.empty(); ++looks) {
        if (looks > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        arguments = contentOf(folderOf(process) / "cmdline");
    }
    return arguments;
}

/// `ADDRESS-ADDRESS PERMISSIONS OFFSET DEVICE INODE PATH`
struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    bool isCode = false;
    std::string path;
};

bool parse(const std::string& line, Mapping& mapping) {
    std::istringstream text(line);
    std::string permissions, device, inode;
    char dash = 0;
    text >> std::hex >> mapping.begin >> dash >> mapping.end >> permissions >> mapping.offset >> device >>
        inode >> std::ws;
    if (!text || dash != '-') return false;
    std::getline(text, mapping.path);
    mapping.isCode = permissions.size() > 2 && permissions[2] == 'x';
    return !mapping.path.empty();
}

}  // namespace

std::vector<pid_t> threadsOf(pid_t process) {
    return numbersIn(folderOf(process) / "task");
}

std::vector<pid_t> withDescendants(pid_t process) {
    std::vector<pid_t> all{process};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const pid_t thread : threadsOf(all[i])) addChildren(all[i], thread, all);
    return all;
}

ProgramFacts programOf(pid_t process) {
    ProgramFacts facts;
    std::error_code error;
    const std::string arguments = argumentsOf(process);
    facts.executable = fs::read_symlink(folderOf(process) / "exe", error).string();
    facts.arguments = wordsIn(arguments);
    facts.rank = rankIn(contentOf(folderOf(process) / "environ"));
    return facts;
}

std::int64_t rankIn(const std::string& environment) {
    const std::vector<std::string> variables = wordsIn(environment);
    for (const char* name : tracing::core::kRankVariables)
        for (const std::string& variable : variables) {
            const std::string begin = std::string(name) + '=';
            if (!variable.starts_with(begin)) continue;
            const auto rank = asNumber<std::int64_t>(std::string_view(variable).substr(begin.size()));
            if (rank && *rank >= 0) return *rank;
        }
    return -1;
}

std::vector<LoadedPart> codeOf(pid_t process) {
    return codeIn(contentOf(folderOf(process) / "maps"));
}

std::vector<LoadedPart> codeIn(const std::string& maps) {
    std::vector<LoadedPart> all;
    bool hasCode = false;
    const auto dropWithoutCode = [&] {
        if (!all.empty() && !hasCode) all.pop_back();
        hasCode = false;
    };
    std::istringstream lines(maps);
    for (std::string line; std::getline(lines, line);) {
        Mapping mapping;
        if (!parse(line, mapping)) continue;
        const bool isOfFile = mapping.path.front() == '/' || mapping.path == "[vdso]";
        const bool goesOn = !all.empty() && all.back().path == mapping.path && mapping.offset != 0;
        if (!isOfFile) continue;
        if (!goesOn) {
            dropWithoutCode();
            all.push_back({mapping.begin, mapping.end, mapping.path});
        }
        all.back().end = mapping.end;
        hasCode |= mapping.isCode;
    }
    dropWithoutCode();
    return all;
}

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

/// What the file must have there (`core/chunks.h`).
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
