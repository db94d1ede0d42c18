// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/debug/scope_names.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "base/function_name.h"
#include "tracing/code/debug/dwarf_entries.h"

namespace holos::code {
namespace {

constexpr int kDeepestScope = 64;

/// Of a module's procedure the name that its symbol stands for, of others and of modules the source's.
std::string ownName(Dwarf_Die& procedure) {
    const std::string name = demangled(linkageNameOf(procedure));
    return name.find("::") != std::string::npos ? name : textOf(procedure, DW_AT_name);
}

/// What an instance was made of, and its declaration, which stands where the source has it.
Dwarf_Die declarationOf(Dwarf_Die die) {
    for (const unsigned name : {DW_AT_abstract_origin, DW_AT_specification}) {
        Dwarf_Attribute attribute;
        Dwarf_Die other;
        if (dwarf_formref_die(dwarf_attr(&die, name, &attribute), &other) != nullptr) die = other;
    }
    return die;
}

bool isWrittenIn(Dwarf_Die& unit, std::initializer_list<int> languages) {
    return std::ranges::find(languages, dwarf_srclang(&unit)) != languages.end();
}

}  // namespace

bool isFortran(Dwarf_Die& unit) {
    return isWrittenIn(unit, {DW_LANG_Fortran77, DW_LANG_Fortran90, DW_LANG_Fortran95, DW_LANG_Fortran03,
                              DW_LANG_Fortran08});
}

bool isCPlusPlus(Dwarf_Die& unit) {
    constexpr int kSeventeen = 0x2B;  // DWARF 6, which compilers write already
    constexpr int kTwenty = 0x2E;
    return isWrittenIn(unit, {DW_LANG_C_plus_plus, DW_LANG_C_plus_plus_03, DW_LANG_C_plus_plus_11,
                              DW_LANG_C_plus_plus_14, kSeventeen, kTwenty});
}

bool isC(Dwarf_Die& unit) {
    return isWrittenIn(unit, {DW_LANG_C, DW_LANG_C89, DW_LANG_C99, DW_LANG_C11});
}

std::string fortranName(Dwarf_Die procedure) {
    procedure = declarationOf(procedure);
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(&procedure, &scopes);
    std::string name = ownName(procedure);
    bool isWhole = name.find("::") != std::string::npos;
    for (int i = 1; i < count && !isWhole; ++i)
        if (const int tag = dwarf_tag(&scopes[i]); tag == DW_TAG_subprogram || tag == DW_TAG_module) {
            const std::string outer = ownName(scopes[i]);
            isWhole = outer.find("::") != std::string::npos;
            name = outer + "::" + name;
        }
    std::free(scopes);
    return name;
}

std::string ScopeNames::nameOf(Dwarf_Die entry) {
    entry = declarationOf(entry);
    const std::string name = textOf(entry, DW_AT_name);
    Dwarf_Die unit;
    if (name.empty() || dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr) return name;
    const auto [at, isNew] = units_.try_emplace(unit.addr);
    if (isNew) add(unit, "", at->second, 0);
    const auto scope = at->second.find(entry.addr);
    return scope != at->second.end() ? names_[scope->second] + name : name;
}

void ScopeNames::add(Dwarf_Die& scope, const std::string& name, Scopes& scopes, int depth) {
    if (depth > kDeepestScope) return;
    const std::size_t place = names_.size();
    names_.push_back(name);
    forEachChild(scope, [&](Dwarf_Die& child) {
        switch (dwarf_tag(&child)) {
            case DW_TAG_subprogram:
            case DW_TAG_enumeration_type:
            case DW_TAG_typedef:
                scopes.emplace(child.addr, place);
                break;
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
            case DW_TAG_union_type:
                scopes.emplace(child.addr, place);
                [[fallthrough]];
            case DW_TAG_namespace:
            case DW_TAG_module: {
                const std::string own = textOf(child, DW_AT_name);
                add(child, name + (own.empty() ? std::string(kUnnamed) : own) + "::", scopes, depth + 1);
                break;
            }
            default:
                break;
        }
    });
}

}  // namespace holos::code
