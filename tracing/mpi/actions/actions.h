// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/mpi/actions/collectives.h"
#include "tracing/mpi/actions/completions.h"
#include "tracing/mpi/actions/files.h"
#include "tracing/mpi/actions/grids.h"
#include "tracing/mpi/actions/meetings.h"
#include "tracing/mpi/actions/messages.h"
#include "tracing/mpi/actions/neighbours.h"
#include "tracing/mpi/actions/one_sided.h"
#include "tracing/mpi/actions/partitioned.h"
#include "tracing/mpi/actions/started.h"

/// The actions that the table `functions/*.def` names. An action is made from a call's arguments before MPI's
/// function runs, and finished with its result; between the two MPI does its work. Each records what its call
/// means besides entering and leaving its region.
