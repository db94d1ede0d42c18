// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/loaded/file_table.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>

namespace holos::code {

std::atomic<int> FileTableUse::users{0};
thread_local volatile int FileTableUse::own __attribute__((tls_model("initial-exec"))) = 0;

namespace {

#if defined(DLFO_STRUCT_HAS_EH_DBASE)
std::atomic<bool> isUsed{false};
#else
std::atomic<bool> isUsed{true};
#endif

constexpr std::size_t kMostFiles = 2048;

/// Written by one thread at a time; odd while it does. Readers that see it change take nothing.
std::atomic<std::uint32_t> sequence{0};
struct Row {
    std::atomic<std::uint64_t> begin;
    std::atomic<std::uint64_t> end;
    std::atomic<const unsigned char*> table;
    std::atomic<const char*> path;
};
std::array<Row, kMostFiles> rows;
std::atomic<std::size_t> count{0};
std::atomic<bool> isOld{false};
/// Never held while waiting for the dynamic linker, whose lock the caller of `clearFileTable` may hold.
constinit std::mutex writing;
std::atomic<int> closing{0};  ///< files may be going away

void add(const dl_phdr_info& info) {
    const std::size_t at = count.load(std::memory_order_relaxed);
    if (at == rows.size()) return;
    const LoadedFile file = loadedFile(info.dlpi_addr, info.dlpi_phdr, info.dlpi_phnum, info.dlpi_name);
    rows[at].begin = file.begin;
    rows[at].end = file.end;
    rows[at].table = file.table;
    rows[at].path = file.path;
    count.store(at + 1, std::memory_order_relaxed);
}

void beginWriting() {
    writing.lock();
    sequence.fetch_add(1);
    count.store(0, std::memory_order_relaxed);
    isOld.store(false, std::memory_order_relaxed);
}

void endWriting() {
    sequence.fetch_add(1);
    writing.unlock();
}

/// Called with the dynamic linker's lock: only then is `writing` taken.
int addFile(dl_phdr_info* info, std::size_t, void* data) {
    bool& isWriting = *static_cast<bool*>(data);
    if (!isWriting) {
        beginWriting();
        isWriting = true;
    }
    if (closing.load() > 0) return 1;
    add(*info);
    return 0;
}

}  // namespace

void useFileTable() noexcept {
    isUsed.store(true);
    takeFileTable();
}

bool isFileTableUsed() noexcept {
    return isUsed.load(std::memory_order_relaxed);
}

void takeFileTable() noexcept {
    bool isWriting = false;
    ::dl_iterate_phdr(&addFile, &isWriting);
    if (isWriting) endWriting();
}

void clearFileTable() noexcept {
    beginWriting();
    endWriting();
    while (FileTableUse::users.load() > 0) ::sched_yield();
}

FilesGoAway::FilesGoAway() noexcept {
    closing.fetch_add(1);
    clearFileTable();
}

FilesGoAway::~FilesGoAway() {
    closing.fetch_sub(1);
    takeFileTable();
}

bool isFileTableOld() noexcept {
    return isOld.load(std::memory_order_relaxed);
}

bool findInFileTable(std::uint64_t address, LoadedFile& file) noexcept {
    const std::uint32_t before = sequence.load();
    if (before % 2 != 0) return false;
    const std::size_t known = std::min(count.load(std::memory_order_relaxed), rows.size());
    for (std::size_t i = 0; i < known; ++i) {
        const Row& row = rows[i];
        if (address < row.begin || address >= row.end) continue;
        file = {row.begin, row.end, row.table, row.path};
        return sequence.load() == before;
    }
    isOld.store(true, std::memory_order_relaxed);
    return false;
}

namespace {

constexpr std::uint64_t kPage = 4096;

/// Notes and what they consist of begin at multiples of four.
constexpr std::uint64_t padded(std::uint64_t bytes) {
    return (bytes + 3) & ~std::uint64_t{3};
}

/// The headers of the parts, where they are in the first page, which is loaded for certain.
struct Parts {
    const ElfW(Phdr) * first = nullptr;
    std::size_t count = 0;
    std::uint64_t linkedTo = std::numeric_limits<std::uint64_t>::max();  ///< the first one loaded
};

Parts partsOf(const LoadedFile& file) {
    Parts parts;
    const unsigned char* const begin = bytesAt(file.begin);
    if (file.end - file.begin < kPage || std::memcmp(begin, ELFMAG, SELFMAG) != 0) return parts;
    ElfW(Ehdr) header;
    std::memcpy(&header, begin, sizeof header);
    const std::uint64_t bytes = std::uint64_t{header.e_phnum} * sizeof(ElfW(Phdr));
    if (header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phoff > kPage ||
        bytes > kPage - header.e_phoff || header.e_phoff % alignof(ElfW(Phdr)) != 0)
        return parts;
    parts.first = reinterpret_cast<const ElfW(Phdr)*>(begin + header.e_phoff);
    parts.count = header.e_phnum;
    for (const ElfW(Phdr)* part = parts.first; part != parts.first + parts.count; ++part)
        if (part->p_type == PT_LOAD)
            parts.linkedTo = std::min<std::uint64_t>(parts.linkedTo, part->p_vaddr & ~(kPage - 1));
    return parts;
}

}  // namespace

BuildId::BuildId(const LoadedFile& file) noexcept {
    const Parts parts = partsOf(file);
    for (const ElfW(Phdr)* part = parts.first; part != parts.first + parts.count; ++part) {
        const std::uint64_t offset = part->p_vaddr - parts.linkedTo;
        const std::uint64_t size = file.end - file.begin;
        if (part->p_type != PT_NOTE || offset > size || part->p_memsz > size - offset) continue;
        const unsigned char* const begin = bytesAt(file.begin + offset);
        take({begin, begin + part->p_memsz});
        if (text_.front() != '\0') return;
    }
}

void BuildId::take(ByteReader notes) noexcept {
    while (notes.isGood() && !notes.isAtEnd()) {
        const auto nameBytes = notes.get<std::uint32_t>();
        const auto bytes = notes.get<std::uint32_t>();
        const auto kind = notes.get<std::uint32_t>();
        const ByteReader name = notes.take(padded(nameBytes));
        ByteReader id = notes.take(padded(bytes));
        const bool isOfGnu = nameBytes == sizeof "GNU" && name.isGood() && id.isGood() &&
                             std::memcmp(name.at(), "GNU", sizeof "GNU") == 0;
        if (!isOfGnu || kind != NT_GNU_BUILD_ID) continue;
        constexpr const char* kDigits = "0123456789abcdef";
        for (std::size_t i = 0; i < std::min<std::size_t>(bytes, kMostBytes); ++i) {
            const auto byte = id.get<std::uint8_t>();
            text_[2 * i] = kDigits[byte >> 4U];
            text_[2 * i + 1] = kDigits[byte & 0xFU];
        }
        return;
    }
}

}  // namespace holos::code
