// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/structure.h"

#include <cfloat>

namespace holos::algebra {

double missingValue(ValueType type) {
    if (type == ValueType::MinDouble) return DBL_MAX;
    return type == ValueType::MaxDouble ? -DBL_MAX : 0.0;
}

bool isUnsigned(ValueType type) {
    return type == ValueType::UInt8 || type == ValueType::UInt16 || type == ValueType::UInt32 ||
           type == ValueType::UInt64;
}

bool isIntegral(ValueType type) {
    return isUnsigned(type) || type == ValueType::Int8 || type == ValueType::Int16 ||
           type == ValueType::Int32 || type == ValueType::Int64;
}

ValueType commonType(ValueType a, ValueType b) {
    if (a == b) return a;
    if (!isIntegral(a) || !isIntegral(b)) return ValueType::Double;
    return isUnsigned(a) && isUnsigned(b) ? ValueType::UInt64 : ValueType::Int64;
}

void widen(Metric& metric) {
    if (!isIntegral(metric.valueType)) return;
    const ValueType wide = isUnsigned(metric.valueType) ? ValueType::UInt64 : ValueType::Int64;
    if (metric.valueType != wide) metric.typeName.clear();
    metric.valueType = wide;
}

bool isSumOfParts(const Metric& metric) {
    return metric.valueType != ValueType::MinDouble && metric.valueType != ValueType::MaxDouble &&
           metric.origin != Origin::Ratio && metric.storage != Storage::PostDerived;
}

}  // namespace holos::algebra
