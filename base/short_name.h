// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holos {

/// How much of a function's name in C++ (or Rust) is left out for reading.
enum class Folding {
    All,                ///< `std::vector<…>::insert`: parameters, return type, template arguments
    TemplateArguments,  ///< `std::vector<…>::insert(A<…> const&)`
    Nested,             ///< `std::vector<A<…>, B<…>>::insert(A<…> const&)`
    None
};

/// The name with some of its parts left out. Names that are not of C++, and those that are not understood,
/// stay whole. What OpenMP constructs are named after (`!$omp for @FUNCTION+0x10`) is folded as well.
std::string folded(std::string_view name, Folding folding);

/// Names for reading: long ones are folded, but never so far that two different names become one.
class ShortNames {
  public:
    /// Up to so many characters a name stays as it is.
    static constexpr std::size_t kLong = 60;

    explicit ShortNames(const std::vector<std::string>& names);

    /// One of the names, for reading; others stay as they are.
    const std::string& of(const std::string& name) const;

  private:
    std::map<std::string, std::string> shortened_;
};

}  // namespace holos
