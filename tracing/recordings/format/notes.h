// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Troubles of a process (`DefinitionKind::Trouble`) that are completed when the recording becomes a trace.
namespace holos::tracing {

/// Whether the profile is there is known then.
inline constexpr const char* kAddedUpInstead = "from then on the run was added up and not traced";

}  // namespace holos::tracing
