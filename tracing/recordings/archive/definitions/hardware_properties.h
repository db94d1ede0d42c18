// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <map>
#include <string>

#include "tracing/recordings/archive/definitions/definition_texts.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

using NodesByHost = std::map<std::string, OTF2_SystemTreeNodeRef>;

/// The hardware as properties: of nodes what they consist of, of locations where their threads ran. Processes
/// hang below nodes, as their threads may use several sockets, and may change between them.
void writeHardware(OTF2_GlobalDefWriter* out, const TracePlan& plan, const NodesByHost& nodes,
                   DefinitionTexts& texts);

/// How long threads were on processors, and how long they waited for them, as properties of their locations.
void writeProcessorTimes(OTF2_GlobalDefWriter* out, const TracePlan& plan, DefinitionTexts& texts);

}  // namespace holos::archive
