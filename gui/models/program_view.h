// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <span>

namespace holos::gui {

class ProgramModel;
class ValueCache;

/// The orders in which the pane of the program can show it.
enum class ProgramView : unsigned char { CallTree, Folded, Regions, Modules, Constructs, Phases };

struct ProgramViewText {
    ProgramView view;
    const char* name;   ///< in saved states
    const char* title;  ///< in menus
    const char* help;
};

/// All views, in the order of their declaration.
std::span<const ProgramViewText> programViews();
std::optional<ProgramView> programViewNamed(const QString& name);
QString nameOf(ProgramView view);

/// The model of a view. The cache must outlive it.
std::unique_ptr<ProgramModel> makeProgramModel(ProgramView view, ValueCache& cache);

}  // namespace holos::gui
