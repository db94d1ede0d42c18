// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/function_name.h"
#include "tracing/archive/openmp_source.h"

namespace holos::archive {
namespace {

namespace fs = std::filesystem;

constexpr Dwarf_Addr kPage = 4096;

/// The address in the file's own terms of what is loaded first: 0 unless the file has fixed addresses.
Dwarf_Addr firstLoadedAddress(Elf* elf) {
    std::size_t parts = 0;
    if (elf_getphdrnum(elf, &parts) != 0) return 0;
    Dwarf_Addr first = std::numeric_limits<Dwarf_Addr>::max();
    for (std::size_t i = 0; i < parts; ++i) {
        GElf_Phdr part{};
        if (gelf_getphdr(elf, static_cast<int>(i), &part) != nullptr && part.p_type == PT_LOAD)
            first = std::min(first, part.p_vaddr & ~(kPage - 1));
    }
    return first == std::numeric_limits<Dwarf_Addr>::max() ? 0 : first;
}

bool isFortran(Dwarf_Die* unit) {
    switch (dwarf_srclang(unit)) {
        case DW_LANG_Fortran77:
        case DW_LANG_Fortran90:
        case DW_LANG_Fortran95:
        case DW_LANG_Fortran03:
        case DW_LANG_Fortran08:
            return true;
        default:
            return false;
    }
}

/// Of a module's procedure the name that its symbol stands for, of others and of modules the source's.
std::string ownName(Dwarf_Die* procedure) {
    Dwarf_Attribute attribute;
    const char* symbol = dwarf_formstring(dwarf_attr_integrate(procedure, DW_AT_linkage_name, &attribute));
    const std::string name = symbol != nullptr ? demangled(symbol) : "";
    if (name.find("::") != std::string::npos) return name;
    const char* source = dwarf_diename(procedure);
    return source != nullptr ? source : "";
}

/// A procedure as the source has it, with those that it is inside of: `outer::inner`. Its symbol is what a
/// compiler makes of that.
std::string nameWithScopes(Dwarf_Die procedure) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;  // a body may stand apart from what is said of the procedure
    if (dwarf_formref_die(dwarf_attr(&procedure, DW_AT_abstract_origin, &attribute), &origin) != nullptr)
        procedure = origin;
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(&procedure, &scopes);
    std::string name = ownName(&procedure);
    bool isWhole = name.find("::") != std::string::npos;
    for (int i = 1; i < count && !isWhole; ++i)
        if (const int tag = dwarf_tag(&scopes[i]); tag == DW_TAG_subprogram || tag == DW_TAG_module) {
            const std::string outer = ownName(&scopes[i]);
            isWhole = outer.find("::") != std::string::npos;
            name = outer + "::" + name;
        }
    std::free(scopes);
    return name;
}

/// Empty when there is none at the address.
std::string procedureAt(Dwarf_Die* parent, Dwarf_Addr address) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0) return {};
    do {
        const int tag = dwarf_tag(&child);
        if (tag != DW_TAG_subprogram && tag != DW_TAG_module) continue;
        if (dwarf_haspc(&child, address) > 0) return nameWithScopes(child);
        if (std::string inside = procedureAt(&child, address); !inside.empty()) return inside;
    } while (dwarf_siblingof(&child, &child) == 0);
    return {};
}

const Dwfl_Callbacks kCallbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                   dwfl_offline_section_address, nullptr};

}  // namespace

/// A program or library, opened for its symbols.
struct Symbols::Object {
    explicit Object(const std::string& path) : session(dwfl_begin(&kCallbacks)) {
        if (session == nullptr) return;
        module = dwfl_report_offline(session, path.c_str(), path.c_str(), -1);
        dwfl_report_end(session, nullptr, nullptr);
        if (module == nullptr) return;
        Elf* elf = dwfl_module_getelf(module, &bias);
        if (elf == nullptr)
            module = nullptr;
        else
            bias += firstLoadedAddress(elf);
    }
    ~Object() {
        if (session != nullptr) dwfl_end(session);
    }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    CodePlace at(std::uint64_t offset) const {
        CodePlace found;
        if (module == nullptr) return found;
        const Dwarf_Addr address = bias + offset;
        GElf_Off into = 0;
        GElf_Sym symbol{};
        if (const char* name =
                dwfl_module_addrinfo(module, address, &into, &symbol, nullptr, nullptr, nullptr)) {
            found.symbol = name;
            found.function = demangled(name);
            found.intoFunction = into;
        }
        addLine(address, found);
        return found;
    }

    /// Not every compiler writes a table of which unit has which addresses: then unit after unit is asked.
    void addLine(Dwarf_Addr address, CodePlace& found) const {
        Dwarf_Addr shift = 0;
        if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, &shift);
            unit != nullptr && addLine(unit, address - shift, found))
            return;
        for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &shift)) != nullptr;)
            if (dwarf_haspc(unit, address - shift) > 0 && addLine(unit, address - shift, found)) return;
    }

    /// False when the unit knows nothing of the address.
    static bool addLine(Dwarf_Die* unit, Dwarf_Addr address, CodePlace& found) {
        Dwarf_Line* line = dwarf_getsrc_die(unit, address);
        const char* file = line != nullptr ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
        int number = 0;
        if (file == nullptr || dwarf_lineno(line, &number) != 0) return false;
        Dwarf_Attribute attribute;
        const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
        found.file = folder != nullptr ? (fs::path(folder) / file).lexically_normal().string() : file;
        found.line = number > 0 ? static_cast<std::uint32_t>(number) : 0;
        if (std::string name = isFortran(unit) ? procedureAt(unit, address) : ""; !name.empty())
            found.function = std::move(name);
        return true;
    }

    Dwfl* session;
    Dwfl_Module* module = nullptr;
    Dwarf_Addr bias = 0;
};

Symbols::Symbols() = default;
Symbols::~Symbols() = default;

Symbols::Object& Symbols::open(const std::string& path) {
    auto& object = objects_[path];
    if (!object) object = std::make_unique<Object>(path);
    return *object;
}

CodePlace Symbols::find(const std::string& object, std::uint64_t offset) {
    return open(object).at(offset);
}

void Symbols::resolve(RecordedRegion& region) {
    if (region.object.empty()) return;
    const CodePlace found = open(region.object).at(region.offset);
    const std::string object = fs::path(region.object).filename().string();
    if (!found.file.empty()) {
        region.file = found.file;
        region.beginLine = region.endLine = found.line;
    }
    if (region.paradigm == tracing::Paradigm::OpenMp) {
        correctFromSource(region);
        if (found.line != 0)
            region.name +=
                " @" + fs::path(found.file).filename().string() + ':' + std::to_string(region.beginLine);
        else if (!found.function.empty())
            region.name += " @" + found.function +
                           (found.intoFunction != 0 ? '+' + std::to_string(found.intoFunction) : "");
        else
            region.name += " @" + object + '+' + std::to_string(region.offset);
    } else if (!found.function.empty()) {
        region.name = found.function;
        region.symbol = found.symbol;
    }
    region.object.clear();
    region.offset = 0;
}

}  // namespace holos::archive
