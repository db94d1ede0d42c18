// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/structure.h"

namespace holos::algebra {

/// What a value of this type is that was never set: 0, or the "no value" of minima and maxima.
double missingValue(ValueType type);

bool isUnsigned(ValueType type);
/// True for the types of whole numbers.
bool isIntegral(ValueType type);
/// A type that holds the values of both.
ValueType commonType(ValueType a, ValueType b);
/// A metric of whole numbers gets the largest such type: a sum of small numbers may need more bits.
void widen(Metric& metric);

}  // namespace holos::algebra
