// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace holos {

/// What a symbol of Rust stands for, as the source writes it and without the crates' hashes: of the scheme
/// that begins with `_R` (RFC 2603, "v0"), or of the older one, `_ZN…17h` and sixteen hexadecimal digits `E`.
/// None for other symbols, and for damaged ones or those whose text is longer than 64 KiB.
std::optional<std::string> rustName(std::string_view symbol);

/// A symbol as the source names it: C++ where it begins with `_Z`, Rust (`rustName`), and
/// `module::procedure` for gfortran's `__module_MOD_procedure`. Itself when it is none of these.
std::string demangled(const std::string& symbol);

/// A symbol without what compilers add to the names of copies and parts that they make of a function:
/// `f.constprop.0`, `.isra.1`, `.part.2`, `.cold`, `.lto_priv.0`, `.llvm.123`, and of bodies of OpenMP
/// constructs, `f._omp_fn.0`, `f.omp_outlined` (`.omp_outlined.` alone stays).
std::string_view withoutCopy(std::string_view symbol);

/// True for a function that a compiler made of the body of an OpenMP construct: gcc's `f._omp_fn.0`, clang's
/// `f.omp_outlined`, `.omp_outlined..1`, `.omp_task_entry.`.
bool isOutlinedBody(std::string_view symbol);

/// The name of a function without all that compilers add to it, so that builds of several compilers compare:
/// a name `withoutCopy`, and without Fortran's decorations (`f_`, `f__`; `__m_MOD_f` and `m_mp_f_` as `m::f`)
/// and the place that names of OpenMP constructs end with (`!$omp parallel @f.c:12`).
std::string plainName(std::string_view name);

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

/// `MPI_Send`, `PMPI_Send`, `mpi_send_`, `mpi_send__` → `send`; empty when it is no MPI function.
inline std::string mpiFunction(std::string_view name) {
    std::string lower = lowerCase(name);
    if (lower.starts_with("pmpi_")) lower.erase(0, 1);
    if (!lower.starts_with("mpi_")) return {};
    while (lower.ends_with('_')) lower.pop_back();
    return lower.size() > 4 ? lower.substr(4) : std::string{};
}

}  // namespace holos
