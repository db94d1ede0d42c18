// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace holos::code {

/// Names of the variables of programs and libraries that have a fixed place: global and static ones.
///
/// Thread safety: one thread.
class DataSymbols {
  public:
    /// The variable at an offset in what is loaded of a file, as people read it; empty where none is known.
    std::string find(const std::string& file, std::uint64_t offset);

  private:
    struct Variable {
        std::uint64_t end = 0;
        std::string name;
    };
    /// By where they begin in what is loaded.
    using Variables = std::map<std::uint64_t, Variable>;
    static Variables variablesOf(const std::string& file);

    std::map<std::string, Variables> files_;
};

}  // namespace holos::code
