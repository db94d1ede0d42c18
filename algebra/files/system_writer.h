// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/files/xml_writer.h"
#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Writes what is inside `<system>`: the system tree and the topologies.
void writeSystem(const Experiment& experiment, XmlWriter& xml);

}  // namespace holos::algebra
