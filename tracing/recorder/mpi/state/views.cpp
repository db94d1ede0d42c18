// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/views.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace holos::tracing::mpi {
namespace {

/// Compilers spell a Fortran name in these ways; MPI libraries define the address in each.
constexpr std::size_t kSpellings = 4;
/// Stands for a spelling that the library does not have: no caller knows its address.
const char kNowhere = 0;

/// Addresses that Open MPI's libraries define, in each spelling, and what MPICH's mpi_f08 has instead.
std::array<const void*, kSpellings + 1> inPlace;
std::array<const void*, 2 * kSpellings + 2> ignored;
const void* nowhere = &kNowhere;
/// Variables that hold such an address. MPICH's, for `mpif.h`, is set in MPI_Init, MPItrampoline's when it
/// has loaded another MPI.
std::array<const void* const*, 2> inPlaceHeld{&nowhere, &nowhere};
std::array<const void* const*, 2> ignoredHeld{&nowhere, &nowhere};

bool holds(const auto& addresses, const void* address) {
    return std::find(addresses.begin(), addresses.end(), address) != addresses.end();
}

bool isHeld(const auto& variables, const void* address) {
    return address != nullptr && std::any_of(variables.begin(), variables.end(),
                                             [&](const auto* variable) { return *variable == address; });
}

}  // namespace

void findFortranSentinels(void* (*symbol)(const char*)) noexcept {
    auto find = [symbol](const void** to, std::initializer_list<const char*> names) {
        for (const char* name : names) {
            const void* address = symbol(name);
            *to++ = address != nullptr ? address : &kNowhere;
        }
    };
    find(inPlace.data(), {"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__",
                          "MPI_FORTRAN_IN_PLACE", "MPIR_F08_MPI_IN_PLACE"});
    find(ignored.data(), {"mpi_fortran_status_ignore_", "mpi_fortran_status_ignore",
                          "mpi_fortran_status_ignore__", "MPI_FORTRAN_STATUS_IGNORE"});
    find(ignored.data() + kSpellings, {"mpi_fortran_statuses_ignore_", "mpi_fortran_statuses_ignore",
                                       "mpi_fortran_statuses_ignore__", "MPI_FORTRAN_STATUSES_IGNORE",
                                       "MPIR_F08_MPI_STATUS_IGNORE_OBJ", "MPIR_F08_MPI_STATUSES_IGNORE_OBJ"});
    auto findVariables = [symbol](const void* const** to, std::initializer_list<const char*> names) {
        for (const char* name : names) {
            const void* variable = symbol(name);
            *to++ = variable != nullptr ? static_cast<const void* const*>(variable) : &nowhere;
        }
    };
    findVariables(inPlaceHeld.data(), {"MPIR_F_MPI_IN_PLACE", "mpiabi_in_place_ptr_"});
    findVariables(ignoredHeld.data(), {"mpiabi_status_ignore_ptr_", "mpiabi_statuses_ignore_ptr_"});
}

bool isFortranStatusIgnored(const MPI_Fint* status) noexcept {
    return status == MPI_F_STATUS_IGNORE || status == MPI_F_STATUSES_IGNORE || holds(ignored, status) ||
           isHeld(ignoredHeld, status);
}

bool isInPlace(const void* buffer) noexcept {
    return buffer == MPI_IN_PLACE || holds(inPlace, buffer) || isHeld(inPlaceHeld, buffer);
}

}  // namespace holos::tracing::mpi
