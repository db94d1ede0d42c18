// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/debug/debug_files.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/input_file.h"
#include "base/number.h"
#include "tracing/code/debug/dwarf_entries.h"

namespace holos::code {
namespace {

using ElfFile = std::unique_ptr<Elf, decltype(&elf_end)>;

ElfFile elfOf(const Descriptor& file) {
    elf_version(EV_CURRENT);
    return {file.number() >= 0 ? elf_begin(file.number(), ELF_C_READ_MMAP, nullptr) : nullptr, &elf_end};
}

/// What is said most often. Assembler code is of libraries.
std::string producerOf(Dwarf* information) {
    constexpr std::size_t kMost = 5000;
    std::map<std::string, std::size_t> producers;
    Dwarf_CU* unit = nullptr;
    Dwarf_Half version = 0;
    std::uint8_t kind = 0;
    Dwarf_Die top, below;
    for (std::size_t count = 0; count < kMost; ++count) {
        if (dwarf_get_units(information, unit, &unit, &version, &kind, &top, &below) != 0) break;
        if (std::string text = attributeText(top, DW_AT_producer);
            !text.empty() && !text.starts_with("GNU AS"))
            ++producers[text];
    }
    const auto most =
        std::ranges::max_element(producers, [](const auto& a, const auto& b) { return a.second < b.second; });
    return most != producers.end() ? most->first : std::string();
}

std::string commentOf(Elf* file) {
    std::size_t names = 0;
    if (file == nullptr || elf_getshdrstrndx(file, &names) != 0) return {};
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(file, section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) continue;
        const char* const name = elf_strptr(file, names, header.sh_name);
        if (name == nullptr || std::string_view(name) != ".comment") continue;
        const Elf_Data* const data = elf_getdata(section, nullptr);
        if (data == nullptr || data->d_buf == nullptr) return {};
        const std::string_view all(static_cast<const char*>(data->d_buf), data->d_size);
        return std::string(all.substr(0, all.find('\0')));
    }
    return {};
}

/// Whether a table of this type has a symbol of the name for which `holds` is true.
template <class Holds>
bool hasSymbol(const std::filesystem::path& path, GElf_Word table, std::string_view symbol,
               const Holds& holds) {
    const Descriptor file = openRegular(path);
    const ElfFile elf = elfOf(file);
    for (Elf_Scn* section = nullptr; elf && (section = elf_nextscn(elf.get(), section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != table) continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        GElf_Sym one;
        for (int i = 0; data != nullptr && gelf_getsym(data, i, &one) != nullptr; ++i)
            if (const char* const name = elf_strptr(elf.get(), header.sh_link, one.st_name);
                name != nullptr && symbol == name && holds(one))
                return true;
    }
    return false;
}

}  // namespace

Compiler compilerOf(const std::filesystem::path& program) {
    const Descriptor file = openRegular(program);
    if (!file) return {};
    std::string text;
    const ElfFile elf = elfOf(file);
    const std::unique_ptr<Dwarf, decltype(&dwarf_end)> information(
        elf ? dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr) : nullptr, &dwarf_end);
    if (information) text = producerOf(information.get());
    if (text.empty()) text = commentOf(elf.get());
    const std::size_t options = text.find(" -");
    if (options == std::string::npos) return {text, {}};
    return {text.substr(0, options), text.substr(options + 1)};
}

std::optional<std::string> buildIdOf(const std::string& path) {
    const Descriptor file = openRegular(path);
    if (!file) return {};
    const ElfFile elf = elfOf(file);
    const void* id = nullptr;
    const ssize_t bytes = elf ? dwelf_elf_gnu_build_id(elf.get(), &id) : 0;
    return bytes > 0 ? inHexadecimal(id, static_cast<std::size_t>(bytes)) : std::string();
}

bool sharesSymbol(const std::filesystem::path& file, std::string_view symbol) {
    return hasSymbol(file, SHT_DYNSYM, symbol, [](const GElf_Sym&) { return true; });
}

bool definesFunction(const std::filesystem::path& file, std::string_view symbol) {
    return hasSymbol(file, SHT_SYMTAB, symbol, [](const GElf_Sym& one) {
        return GELF_ST_TYPE(one.st_info) == STT_FUNC && one.st_shndx != SHN_UNDEF;
    });
}

namespace {

namespace fs = std::filesystem;

/// Longer ones are none: usual are 8 to 20 bytes.
constexpr std::size_t kLongestId = 64;

std::string idText(const void* bytes, std::size_t size) {
    return size > kLongestId ? "" : inHexadecimal(bytes, size);
}

std::string buildIdOf(Elf* elf) {
    const void* id = nullptr;
    const ssize_t size = elf != nullptr ? dwelf_elf_gnu_build_id(elf, &id) : 0;
    return size > 0 ? idText(id, static_cast<std::size_t>(size)) : "";
}

struct AltLink {
    std::string name;
    std::string buildId;
};

AltLink altLinkOf(Elf* elf) {
    AltLink link;
    std::size_t names = 0;
    if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0) return link;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr) continue;
        const char* name = elf_strptr(elf, names, header.sh_name);
        if (name == nullptr || std::strcmp(name, ".gnu_debugaltlink") != 0) continue;
        const Elf_Data* data = elf_rawdata(section, nullptr);
        if (data == nullptr || data->d_buf == nullptr) return link;
        const std::string_view bytes(static_cast<const char*>(data->d_buf), data->d_size);
        const auto end = bytes.find('\0');
        if (end == std::string_view::npos) return link;
        link.name = bytes.substr(0, end);
        link.buildId = idText(bytes.data() + end + 1, bytes.size() - end - 1);
        return link;
    }
    return link;
}

/// The checksum that a section `.gnu_debuglink` has of a file.
std::optional<std::uint32_t> checksumOf(const Descriptor& file) {
    std::array<unsigned char, 1U << 16> part{};
    uLong sum = ::crc32(0, nullptr, 0);
    for (off_t at = 0;;) {
        const ssize_t count = ::pread(file.number(), part.data(), part.size(), at);
        if (count < 0) return {};
        if (count == 0) return static_cast<std::uint32_t>(sum);
        sum = ::crc32(sum, part.data(), static_cast<uInt>(count));
        at += count;
    }
}

std::vector<fs::path> defaultRoots() {
    std::vector<fs::path> roots;
    const char* own = std::getenv("HOLOS_DEBUG_DIRECTORIES");
    std::istringstream list(own != nullptr ? own : "");
    for (std::string root; std::getline(list, root, ':');)
        if (!root.empty()) roots.emplace_back(root);
    roots.emplace_back("/usr/lib/debug");
    return roots;
}

/// As debuginfod's clients look for it.
std::vector<fs::path> defaultCaches() {
    const auto folder = [](const char* variable) {
        const char* value = std::getenv(variable);
        return fs::path(value != nullptr ? value : "");
    };
    if (const fs::path own = folder("DEBUGINFOD_CACHE_PATH"); !own.empty()) return {own};
    std::vector<fs::path> caches;
    const fs::path home = folder("HOME");
    if (const fs::path all = folder("XDG_CACHE_HOME"); !all.empty())
        caches.push_back(all / "debuginfod_client");
    else if (!home.empty())
        caches.push_back(home / ".cache" / "debuginfod_client");
    if (!home.empty()) caches.push_back(home / ".debuginfod_client_cache");
    return caches;
}

}  // namespace

DebugFiles::DebugFiles() : DebugFiles(defaultRoots(), defaultCaches()) {}

fs::path DebugFiles::findById(const std::string& buildId) const {
    constexpr std::size_t kFolder = 2;
    if (buildId.size() <= kFolder) return {};
    std::vector<fs::path> places;
    for (const auto& root : roots_)
        places.push_back(root / ".build-id" / buildId.substr(0, kFolder) /
                         (buildId.substr(kFolder) + ".debug"));
    for (const auto& cache : caches_) places.push_back(cache / buildId / "debuginfo");
    for (const auto& place : places) {
        const Descriptor found = openRegular(place);
        if (buildIdOf(elfOf(found).get()) == buildId) return place;
    }
    return {};
}

fs::path DebugFiles::findByName(const fs::path& file, const std::string& link, const std::string& buildId,
                                std::uint32_t checksum) const {
    std::error_code failed;
    const fs::path folder = fs::weakly_canonical(file, failed).parent_path();
    std::vector<fs::path> places{folder / link, folder / ".debug" / link};
    for (const auto& root : roots_) places.push_back(root / folder.relative_path() / link);
    for (const auto& place : places) {
        if (fs::equivalent(place, file, failed)) continue;
        const Descriptor found = openRegular(place);
        if (found.number() < 0) continue;
        const ElfFile elf = elfOf(found);
        if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) continue;
        const std::string id = buildIdOf(elf.get());
        if (buildId.empty() ? checksumOf(found) == checksum : id == buildId) return place;
    }
    return {};
}

fs::path DebugFiles::find(const fs::path& file, const std::string& link, std::uint32_t checksum) const {
    const Descriptor descriptor = openRegular(file);
    const ElfFile elf = elfOf(descriptor);
    if (const AltLink alternate = altLinkOf(elf.get()); !link.empty() && alternate.name == link) {
        if (alternate.buildId.empty()) return {};
        const fs::path found = findById(alternate.buildId);
        return !found.empty() ? found : findByName(file, link, alternate.buildId, 0);
    }
    const std::string id = buildIdOf(elf.get());
    const fs::path found = findById(id);
    return !found.empty() || link.empty() ? found : findByName(file, link, id, checksum);
}

}  // namespace holos::code
