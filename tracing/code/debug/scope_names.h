// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <elfutils/libdw.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace holos::code {

/// Names of functions of which the linker knows nothing, and of types: with the namespaces, classes and
/// modules that they are in, `work::(anonymous namespace)::step`.
class ScopeNames {
  public:
    static constexpr const char* kUnnamed = "(anonymous namespace)";

    /// Empty for what has no name.
    std::string nameOf(Dwarf_Die entry);

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

}  // namespace holos::code
