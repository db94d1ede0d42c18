// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "gui/models/filter.h"
#include "gui/models/menu_choice.h"
#include "gui/models/program_model.h"

namespace holos::gui {

class ProgramModel;
class ValueCache;

/// The orders in which the pane of the program can show it.
enum class ProgramView : unsigned char { CallTree, Folded, Regions, Modules, Constructs, Phases };

using ProgramViewText = MenuChoice<ProgramView>;

/// All views, in the order of their declaration.
std::span<const ProgramViewText> programViews();

/// The model of a view. The cache must outlive it.
std::unique_ptr<ProgramModel> makeProgramModel(ProgramView view, ValueCache& cache);

/// The filter that shows what these rows of a view of the program stand for, and nothing else.
Filter filterOf(const ExperimentPtr& experiment, const ProgramModel& model, ProgramView view,
                const QModelIndexList& rows);

}  // namespace holos::gui
