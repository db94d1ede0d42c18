// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Operators that make one experiment of others: functions in `holos::algebra` that leave their inputs as
/// they are. What each one combines, and how parts of several experiments pair up, is told in
/// docs/algebra.md.
#include "algebra/operators/aggregates.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/flatten.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/scale.h"
#include "holos/experiment.h"
