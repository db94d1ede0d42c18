// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace holos::python {

/// What a run is asked in SQL: `query`, `statement`.
void defineQuestions(pybind11::module_& module);

}  // namespace holos::python
