// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/mpi/actions/collectives.h"
#include "tracing/recorder/mpi/actions/completions.h"
#include "tracing/recorder/mpi/actions/files.h"
#include "tracing/recorder/mpi/actions/messages.h"
#include "tracing/recorder/mpi/actions/one_sided.h"

/// The actions that the table `functions/*.def` names. An action is made from a call's arguments before MPI's
/// function runs, and finished with its result; between the two MPI does its work. Each records what its call
/// means besides entering and leaving its region.
