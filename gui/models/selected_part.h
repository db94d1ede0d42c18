// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/filter.h"
#include "gui/models/program_model.h"
#include "gui/models/program_view.h"

namespace holos::gui {

/// The filter that shows what these rows of a view of the program stand for, and nothing else.
Filter filterOf(const ExperimentPtr& experiment, const ProgramModel& model, ProgramView view,
                const QModelIndexList& rows);

}  // namespace holos::gui
