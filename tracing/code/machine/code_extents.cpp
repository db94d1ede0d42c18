// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/code_extents.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include "tracing/code/loaded/byte_reader.h"

namespace holos::code {
namespace {

constexpr std::uint8_t kFormat = 0x0F;

/// An address that is given by its distance from its own place, or as it is.
std::uint64_t addressFrom(ByteReader& reader, std::uint8_t encoding, std::uint64_t place) {
    const std::uint64_t value = reader.getLength(encoding & kFormat);
    return (encoding & 0xF0U) == DW_EH_PE_pcrel ? value + place : value;
}

/// The format is that of the C++ ABI for exceptions ("Level II", language-specific data area), as gcc and
/// clang write it.
std::optional<std::vector<LandingPad>> readPads(ByteReader reader, const unsigned char* begin,
                                                const CodeExtents::Extent& function) {
    std::uint64_t base = function.begin;
    const auto baseEncoding = reader.get<std::uint8_t>();
    if (baseEncoding != DW_EH_PE_omit) {
        const auto place = function.exceptions + static_cast<std::uint64_t>(reader.at() - begin);
        base = addressFrom(reader, baseEncoding, place);
    }
    if (reader.get<std::uint8_t>() != DW_EH_PE_omit) reader.getUnsigned();  // the types, which lie behind
    const auto encoding = static_cast<std::uint8_t>(reader.get<std::uint8_t>() & kFormat);
    ByteReader calls = reader.take(reader.getUnsigned());
    std::vector<LandingPad> pads;
    while (calls.isGood() && !calls.isAtEnd()) {
        const std::uint64_t first = function.begin + calls.getLength(encoding);
        const std::uint64_t length = calls.getLength(encoding);
        const std::uint64_t pad = calls.getLength(encoding);
        calls.getUnsigned();  // what is caught
        if (pad != 0) pads.push_back({first, first + length, base + pad});
    }
    return reader.isGood() && calls.isGood() ? std::optional(std::move(pads)) : std::nullopt;
}

}  // namespace

LandingPads::LandingPads(Elf* elf) {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS) continue;
        const char* const name = elf_strptr(elf, names, header.sh_name);
        if (name == nullptr || !std::string_view(name).starts_with(".gcc_except_table")) continue;
        const Elf_Data* const data = elf_rawdata(section, nullptr);
        if (data != nullptr && data->d_buf != nullptr)
            tables_.push_back({header.sh_addr, header.sh_addr + data->d_size,
                               static_cast<const unsigned char*>(data->d_buf)});
    }
}

std::optional<std::vector<LandingPad>> LandingPads::of(const CodeExtents::Extent& function) const {
    if (function.hasUnknownExceptions) return {};
    if (function.exceptions == 0) return std::vector<LandingPad>();
    const auto table = std::ranges::find_if(tables_, [&](const Table& one) {
        return one.begin <= function.exceptions && function.exceptions < one.end;
    });
    if (table == tables_.end()) return {};
    const unsigned char* const begin = table->bytes + (function.exceptions - table->begin);
    return readPads({begin, table->bytes + (table->end - table->begin)}, begin, function);
}

namespace {

/// The kinds of numbers that compilers write there.
std::optional<std::uint64_t> numberAt(const std::uint8_t* at, const std::uint8_t* end, unsigned format,
                                      std::size_t& size) {
    const auto take = [&]<class Number>(Number number) -> std::optional<std::uint64_t> {
        size = sizeof number;
        if (static_cast<std::size_t>(end - at) < size) return {};
        std::memcpy(&number, at, size);
        return static_cast<std::uint64_t>(number);
    };
    switch (format) {
        case DW_EH_PE_absptr:
        case DW_EH_PE_udata8:
            return take(std::uint64_t{});
        case DW_EH_PE_sdata8:
            return take(std::int64_t{});
        case DW_EH_PE_udata4:
            return take(std::uint32_t{});
        case DW_EH_PE_sdata4:
            return take(std::int32_t{});
        default:
            return {};
    }
}

/// How entries that belong to it write addresses.
struct Encodings {
    unsigned code = DW_EH_PE_absptr;
    unsigned exceptions = DW_EH_PE_omit;
    bool hasAugmentation = false;
};

Encodings encodingsOf(const Dwarf_CIE& common) {
    const std::string_view augmentation = common.augmentation != nullptr ? common.augmentation : "";
    Encodings found;
    if (!augmentation.starts_with('z')) return found;
    found.hasAugmentation = true;
    const std::uint8_t* at = common.augmentation_data;
    const std::uint8_t* const end = at + common.augmentation_data_size;
    const auto next = [&] { return at < end ? *at++ : unsigned{DW_EH_PE_omit}; };
    for (const char c : augmentation.substr(1)) {
        if (c == 'R') found.code = next();
        if (c == 'L') found.exceptions = next();
        if (c == 'P') {
            std::size_t size = 0;
            const unsigned format = next() & 0xFU;
            if (!numberAt(at, end, format, size)) return {DW_EH_PE_omit, DW_EH_PE_omit, true};
            at += size;
        }
    }
    return found;
}

bool isOfSignals(const Dwarf_CIE& common) {
    return common.augmentation != nullptr && std::strchr(common.augmentation, 'S') != nullptr;
}

class Reader {
  public:
    Reader(Elf* elf, std::uint64_t address, Elf_Data* data) : elf_(elf), address_(address), data_(data) {}

    void read(std::vector<CodeExtents::Extent>& extents) {
        const auto* identity = reinterpret_cast<const unsigned char*>(elf_getident(elf_, nullptr));
        if (identity == nullptr) return;
        Dwarf_Off next = 0;
        for (Dwarf_Off at = 0;; at = next) {
            Dwarf_CFI_Entry entry{};
            const int result = dwarf_next_cfi(identity, data_, true, at, &next, &entry);
            if (result > 0 || next <= at || next == static_cast<Dwarf_Off>(-1)) return;
            if (result < 0) continue;
            if (dwarf_cfi_cie_p(&entry))
                commons_[at] = {encodingsOf(entry.cie), isOfSignals(entry.cie)};
            else if (const auto extent = extentOf(entry.fde))
                extents.push_back(*extent);
        }
    }

  private:
    std::optional<CodeExtents::Extent> extentOf(const Dwarf_FDE& entry) const {
        const auto common = commons_.find(entry.CIE_pointer);
        if (common == commons_.end() || common->second.encodings.code == DW_EH_PE_omit) return {};
        const Encodings& encodings = common->second.encodings;
        std::size_t size = 0;
        const auto begin = addressAt(entry.start, entry.end, encodings.code, size);
        if (!begin) return {};
        // Lengths are never negative.
        const unsigned format = encodings.code & 0xFU & ~static_cast<unsigned>(DW_EH_PE_signed);
        const std::uint8_t* at = entry.start + size;
        const auto length = numberAt(at, entry.end, format, size);
        if (!length || *length == 0 || *begin + *length < *begin) return {};
        CodeExtents::Extent extent{*begin, *begin + *length, common->second.isOfSignals, 0, false};
        at += size;
        if (encodings.hasAugmentation && encodings.exceptions != DW_EH_PE_omit)
            addExceptions(at, entry.end, encodings.exceptions, extent);
        return extent;
    }

    /// Behind the length of what is told besides, which is short.
    void addExceptions(const std::uint8_t* at, const std::uint8_t* end, unsigned encoding,
                       CodeExtents::Extent& extent) const {
        constexpr std::uint8_t kMore = 0x80;
        const bool hasLength = at < end && (*at & kMore) == 0;
        if (hasLength && *at == 0) return;
        std::size_t size = 0;
        const std::optional<std::uint64_t> stored =
            hasLength ? numberAt(at + 1, end, encoding & 0xFU, size) : std::nullopt;
        if (stored == std::uint64_t{0}) return;
        const auto found = stored ? addressAt(at + 1, end, encoding, size) : std::nullopt;
        extent.exceptions = found.value_or(0);
        extent.hasUnknownExceptions = !found;
    }

    std::optional<std::uint64_t> addressAt(const std::uint8_t* at, const std::uint8_t* end, unsigned encoding,
                                           std::size_t& size) const {
        const unsigned base = encoding & 0xF0U;
        auto address = numberAt(at, end, encoding & 0xFU, size);
        if (!address || (base != DW_EH_PE_absptr && base != DW_EH_PE_pcrel)) return {};
        if (base == DW_EH_PE_pcrel)
            *address += address_ + static_cast<std::uint64_t>(at - static_cast<std::uint8_t*>(data_->d_buf));
        return address;
    }

    Elf* elf_;
    std::uint64_t address_;
    Elf_Data* data_;
    struct Common {
        Encodings encodings;
        bool isOfSignals;
    };
    std::map<Dwarf_Off, Common> commons_;  ///< by their places
};

}  // namespace

CodeExtents::CodeExtents(Elf* elf) {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
        const char* name = elf_strptr(elf, names, header.sh_name);
        if (name == nullptr || std::strcmp(name, ".eh_frame") != 0) continue;
        Elf_Data* data = elf_rawdata(section, nullptr);
        if (data != nullptr && data->d_buf != nullptr) Reader(elf, header.sh_addr, data).read(extents_);
    }
    std::ranges::sort(extents_, {}, &Extent::begin);
}

std::optional<CodeExtents::Extent> CodeExtents::at(std::uint64_t address) const {
    const auto behind = std::ranges::upper_bound(extents_, address, {}, &Extent::begin);
    if (behind == extents_.begin() || address >= std::prev(behind)->end) return {};
    return *std::prev(behind);
}

}  // namespace holos::code
