// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <optional>
#include <string>

/// Small helpers for entries of DWARF debug information, which may be damaged.
namespace holos::code {

/// Calls `visit(child)` for each entry directly below another one.
template <class Visit>
void forEachChild(Dwarf_Die& parent, Visit visit) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    for (;;) {
        visit(child);
        const void* const before = child.addr;
        // A link that leads back would have no end.
        if (dwarf_siblingof(&child, &child) != 0 || child.addr <= before) return;
    }
}

/// Calls `visit(begin, end)` for each range of addresses of an entry's code; parts that the linker left out
/// have the address 0 or one of the last.
template <class Visit>
void forEachRange(Dwarf_Die& die, Visit visit) {
    constexpr Dwarf_Addr kLast = static_cast<Dwarf_Addr>(-2);
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(&die, next, &base, &begin, &end)) > 0;)
        if (begin != 0 && begin < end && begin < kLast) visit(begin, end);
}

inline std::optional<Dwarf_Word> numberOf(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_formudata(dwarf_attr_integrate(&die, name, &attribute), &value) != 0) return {};
    return value;
}

inline bool isMarked(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    bool is = false;
    return dwarf_formflag(dwarf_attr_integrate(&die, name, &attribute), &is) == 0 && is;
}

/// Empty where the entry, or what it is an instance of, has no such text.
inline std::string attributeText(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    const char* text = dwarf_formstring(dwarf_attr_integrate(&die, name, &attribute));
    return text != nullptr ? text : "";
}

inline std::string linkageNameOf(Dwarf_Die& die) {
    std::string name = attributeText(die, DW_AT_linkage_name);
    return !name.empty() ? name : attributeText(die, DW_AT_MIPS_linkage_name);
}

}  // namespace holos::code
