/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool of the user for Kokkos. */
#include <stdint.h>

void kokkosp_init_library(int sequence, uint64_t version, uint32_t devices, void* infos) {
    (void)sequence, (void)version, (void)devices, (void)infos;
}
