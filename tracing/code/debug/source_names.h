// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <elfutils/libdw.h>

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holos::code {

/// Names of functions of which the linker knows nothing, and of types: with the namespaces, classes and
/// modules that they are in, `work::(anonymous namespace)::step`.
class ScopeNames {
  public:
    static constexpr const char* kUnnamed = "(anonymous namespace)";

    /// Empty for what has no name.
    std::string nameOf(Dwarf_Die entry);
    /// What it is in, `work::(anonymous namespace)::`, empty at the top; nothing for what a function has for
    /// itself.
    std::optional<std::string> scopeOf(Dwarf_Die entry);

  private:
    using Scopes = std::unordered_map<const void*, std::size_t>;
    void add(Dwarf_Die& scope, const std::string& name, Scopes& scopes, int depth);

    std::unordered_map<const void*, Scopes> units_;  ///< of each unit's entries the places in `names_`
    std::vector<std::string> names_;
};

/// A procedure of Fortran, as the source has it, with those that it is inside of: `outer::inner`.
std::string fortranName(Dwarf_Die procedure);

bool isFortran(Dwarf_Die& unit);
bool isC(Dwarf_Die& unit);
bool isCPlusPlus(Dwarf_Die& unit);

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
    /// `(int, char const*)`
    std::string parametersOf(Dwarf_Die function);

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

/// A function, a class or a function's block that something stands in, with those around it, from the inside.
std::vector<Dwarf_Die> scopesAround(Dwarf_Die entry);
/// What an instance was made of, and its declaration, which stands where the source has it.
Dwarf_Die declarationOf(Dwarf_Die die);
bool isClass(Dwarf_Die& die);
/// The operator of a lambda's class, which has no name; nothing for other classes.
std::optional<Dwarf_Die> operatorOfLambda(Dwarf_Die& type);
/// Which one it is among the lambdas of its function for which `counts(operator)`, from 1.
std::size_t numberOfLambda(Dwarf_Die& function, Dwarf_Die& type,
                           const std::function<bool(Dwarf_Die)>& counts);

/// Whether debug information has types: not where little was asked for (`-g1`).
bool hasTypes(Dwarf_Die unit);

}  // namespace holos::code
