// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <elfutils/libdw.h>

#include <functional>
#include <string>
#include <utility>

namespace holos::code {

/// Types and parameters of C++ by debug information, written as `demangled` writes those of the linker's
/// names: `unsigned long`, `char const*`, `double& (Domain::*)(int)`. So a function of which the linker knows
/// nothing, as it was inlined everywhere, has the name that it has in a build where it was not.
class TypeNames {
  public:
    /// `scopedName`: gives the name of a class or enumeration with what it is in.
    explicit TypeNames(std::function<std::string(Dwarf_Die)> scopedName)
        : scopedName_(std::move(scopedName)) {}

    /// A function whose name with what it is in is given: `step` becomes `step(int, char const*)`.
    std::string withParameters(const std::string& name, Dwarf_Die function);

  private:
    std::string typeOf(Dwarf_Die& entry, const std::string& declarator, int depth);
    std::string type(Dwarf_Die die, const std::string& declarator, int depth);
    std::string pointer(Dwarf_Die& die, const std::string& sign, const std::string& declarator, int depth);
    std::string memberPointer(Dwarf_Die& die, const std::string& declarator, int depth);
    std::string array(Dwarf_Die& die, const std::string& declarator, int depth);
    std::string classType(Dwarf_Die& die, int depth);
    std::string templateArguments(Dwarf_Die& die, int depth);
    std::string parameters(Dwarf_Die& function, int depth);
    std::string parameter(Dwarf_Die die, int depth);

    std::function<std::string(Dwarf_Die)> scopedName_;
    int left_ = 0;  ///< so many more types are written for one function
};

/// Whether debug information has types: not where little was asked for (`-g1`).
bool hasTypes(Dwarf_Die unit);

}  // namespace holos::code
