// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace holos::algebra {

/// The name of a function without what compilers add to it, so that builds of several compilers compare:
/// clones (`f.constprop.0`, `.isra.1`, `.part.2`, `.cold`, `.lto_priv.0`, `.llvm.123`), outlined bodies of
/// OpenMP constructs (`f._omp_fn.0`, `f.omp_outlined`, `.omp_outlined.` alone stays), and Fortran's
/// decorations (`f_`, `f__`, `__m_MOD_f` and `m_mp_f_` as `m::f`); and the place that names of OpenMP
/// constructs end with (`!$omp parallel @f.c:12`).
std::string plainName(std::string_view name);

/// The last part of a path.
std::string_view fileName(std::string_view path);

}  // namespace holos::algebra
