/* SPDX-License-Identifier: BSD-3-Clause */
/* What the table of requests needs of MPI, so that its tests run without one. */
#pragma once

typedef int MPI_Request;
