// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <initializer_list>

#include "tracing/mpi/views.h"

namespace holos::tracing::mpi {
namespace {

/// Compilers spell a Fortran name in these ways; MPI libraries define the address in each.
constexpr std::size_t kSpellings = 4;
/// Stands for a spelling that the library does not have: no caller knows its address.
const char kNowhere = 0;

std::array<const void*, kSpellings> inPlace{&kNowhere, &kNowhere, &kNowhere, &kNowhere};
std::array<const void*, 2 * kSpellings> ignored{&kNowhere, &kNowhere, &kNowhere, &kNowhere,
                                                &kNowhere, &kNowhere, &kNowhere, &kNowhere};

bool holds(const auto& addresses, const void* address) {
    return std::find(addresses.begin(), addresses.end(), address) != addresses.end();
}

}  // namespace

void findFortranSentinels(void* (*symbol)(const char*)) noexcept {
    auto find = [symbol](const void** to, std::initializer_list<const char*> names) {
        for (const char* name : names) {
            const void* address = symbol(name);
            *to++ = address != nullptr ? address : &kNowhere;
        }
    };
    find(inPlace.data(),
         {"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"});
    find(ignored.data(), {"mpi_fortran_status_ignore_", "mpi_fortran_status_ignore",
                          "mpi_fortran_status_ignore__", "MPI_FORTRAN_STATUS_IGNORE"});
    find(ignored.data() + kSpellings, {"mpi_fortran_statuses_ignore_", "mpi_fortran_statuses_ignore",
                                       "mpi_fortran_statuses_ignore__", "MPI_FORTRAN_STATUSES_IGNORE"});
}

bool isFortranStatusIgnored(const MPI_Fint* status) noexcept {
    return status == MPI_F_STATUS_IGNORE || status == MPI_F_STATUSES_IGNORE || holds(ignored, status);
}

bool isInPlace(const void* buffer) noexcept {
    return buffer == MPI_IN_PLACE || holds(inPlace, buffer);
}

}  // namespace holos::tracing::mpi
