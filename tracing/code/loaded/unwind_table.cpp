// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/loaded/unwind_table.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <algorithm>
#include <limits>

#include "tracing/code/loaded/file_table.h"
#include "tracing/code/loaded/runtimes.h"

namespace holos::code {
namespace {

// The usual form of `.eh_frame_hdr`, which all linkers write: offsets of 32 bit from its start, sorted.
constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kOffsetFromHere = 0x1B;
constexpr std::uint8_t kCountOf32Bits = 0x03;
constexpr std::uint8_t kOffsetsFromTable = 0x3B;

struct Row {
    std::int32_t function;
    std::int32_t entry;
};

std::uint64_t addressOf(const unsigned char* place) {
    return reinterpret_cast<std::uint64_t>(place);
}

/// Of the file's bytes from an address on.
ByteReader readerAt(const LoadedFile& file, std::uint64_t address) {
    if (address < file.begin || address >= file.end) return {};
    return {bytesAt(address), bytesAt(file.end)};
}

/// Where the description of the last function that begins at or before an address lies; 0: nowhere.
std::uint64_t search(const LoadedFile& file, std::uint64_t address) {
    ByteReader table = readerAt(file, addressOf(file.table));
    const bool isKnown =
        table.get<std::uint8_t>() == kVersion && table.get<std::uint8_t>() == kOffsetFromHere &&
        table.get<std::uint8_t>() == kCountOf32Bits && table.get<std::uint8_t>() == kOffsetsFromTable;
    if (!isKnown) return 0;
    table.skip(sizeof(std::int32_t));
    const auto count = table.get<std::uint32_t>();
    const unsigned char* const rows = table.at();
    table.skip(std::uint64_t{count} * sizeof(Row));
    if (!table.isGood() || count == 0) return 0;
    const auto begin = addressOf(file.table);
    const auto row = [rows](std::uint32_t i) {
        Row found;
        std::memcpy(&found, rows + std::size_t{i} * sizeof found, sizeof found);
        return found;
    };
    const auto beginOf = [&](std::uint32_t i) {
        return begin + static_cast<std::uint64_t>(std::int64_t{row(i).function});
    };
    std::uint32_t low = 0;
    for (std::uint32_t high = count; high - low > 1;) {
        const std::uint32_t middle = low + (high - low) / 2;
        (beginOf(middle) <= address ? low : high) = middle;
    }
    return beginOf(low) <= address ? begin + static_cast<std::uint64_t>(std::int64_t{row(low).entry}) : 0;
}

/// An entry of `.eh_frame` without its length.
ByteReader entryAt(const LoadedFile& file, std::uint64_t place) {
    ByteReader reader = readerAt(file, place);
    const auto length = reader.get<std::uint32_t>();
    constexpr std::uint32_t kLong = 0xFFFFFFFFU;
    return length == kLong ? ByteReader() : reader.take(length);
}

/// What is common to several functions (CIE): `z`, `R`, `P`, `L`, `S` of its augmentation matter.
bool readCommon(ByteReader common, UnwindEntry& entry, bool& hasLength) {
    common.skip(sizeof(std::uint32_t));
    const auto version = common.get<std::uint8_t>();
    const char* letters = reinterpret_cast<const char*>(common.at());
    while (common.isGood() && common.get<std::uint8_t>() != 0) continue;
    if (!common.isGood()) return false;
    entry.codeAlignment = common.getUnsigned();
    entry.dataAlignment = common.getSigned();
    entry.returnRegister = version == 1 ? common.get<std::uint8_t>() : common.getUnsigned();
    hasLength = *letters == 'z';
    if (hasLength) {
        ByteReader extra = common.take(common.getUnsigned());
        while (*++letters != '\0') {
            if (*letters == 'R') entry.encoding = extra.get<std::uint8_t>();
            if (*letters == 'L') extra.skip(1);
            if (*letters == 'P') extra.getLength(extra.get<std::uint8_t>());
            if (*letters == 'S') entry.isSignalFrame = true;
        }
    } else if (*letters != '\0') {
        return false;
    }
    entry.common = common;
    return common.isGood();
}

#if defined(DLFO_STRUCT_HAS_EH_DBASE)
/// The kernel may leave room between the program's parts; then the C library tells of each part as if it were
/// a file, without the table in another part. Other files have no such room: the dynamic linker loads them.
bool isPartOfProgram(const dl_find_object& found) {
    return found.dlfo_link_map != nullptr && *found.dlfo_link_map->l_name == '\0' &&
           ::getauxval(AT_PHDR) != 0;
}
#endif

}  // namespace

LoadedFile loadedFile(std::uint64_t distance, const ElfW(Phdr) * parts, std::size_t count,
                      const char* path) noexcept {
    constexpr std::uint64_t kPage = 4096;
    LoadedFile file;
    file.begin = std::numeric_limits<std::uint64_t>::max();
    file.path = path;
    for (const ElfW(Phdr)* part = parts; part != parts + count; ++part) {
        const std::uint64_t address = distance + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME) file.table = bytesAt(address);
        if (part->p_type != PT_LOAD) continue;
        file.begin = std::min(file.begin, address & ~(kPage - 1));
        file.end = std::max(file.end, address + part->p_memsz);
    }
    return file;
}

bool findLoadedFile(std::uint64_t address, LoadedFile& file) noexcept {
    if (isFileTableUsed()) return findInFileTable(address, file);
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
    dl_find_object found;
    if (::_dl_find_object(const_cast<unsigned char*>(bytesAt(address)), &found) != 0) return false;
    if (isPartOfProgram(found)) {
        file = loadedFile(found.dlfo_link_map->l_addr,
                          reinterpret_cast<const ElfW(Phdr)*>(bytesAt(::getauxval(AT_PHDR))),
                          ::getauxval(AT_PHNUM), "");
        return true;
    }
    file.begin = reinterpret_cast<std::uint64_t>(found.dlfo_map_start);
    file.end = reinterpret_cast<std::uint64_t>(found.dlfo_map_end);
    file.table = static_cast<const unsigned char*>(found.dlfo_eh_frame);
    file.path = found.dlfo_link_map != nullptr ? found.dlfo_link_map->l_name : "";
    return true;
#else
    return false;
#endif
}

bool findUnwindEntry(const LoadedFile& file, std::uint64_t address, UnwindEntry& entry) noexcept {
    if (file.path != nullptr && swapsStacks(file.path)) return false;
    const std::uint64_t place = file.table != nullptr ? search(file, address) : 0;
    if (place == 0) return false;
    ByteReader own = entryAt(file, place);
    const std::uint64_t here = addressOf(own.at());
    const auto distance = own.get<std::uint32_t>();
    bool hasLength = false;
    if (!own.isGood() || distance == 0 || !readCommon(entryAt(file, here - distance), entry, hasLength))
        return false;
    entry.functionBegin = own.getAddress(entry.encoding);
    const std::uint64_t length = own.getLength(entry.encoding);
    if (hasLength) own.skip(own.getUnsigned());
    entry.own = own;
    return own.isGood() && address - entry.functionBegin < length;
}

}  // namespace holos::code
