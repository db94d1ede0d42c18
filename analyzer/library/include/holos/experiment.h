// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Experiments: how they are made up (`Experiment`), read and written (`readExperiment`, `writeExperiment`),
/// and asked for values (`aggregate`, `perCallPath`, `perLocation`, …). All of it is in `holos::algebra`;
/// what goes wrong is thrown as `holos::Error`.
#include "algebra/files/experiment_file.h"
#include "algebra/model/queries.h"
#include "base/error.h"
