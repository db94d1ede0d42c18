// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <variant>

#include "algebra/insight/findings/roofline.h"
#include "gui/app/appearance.h"
#include "gui/models/source_lines.h"
#include "gui/models/view_state.h"
#include "gui/views/parts/color_scale.h"

namespace holos::gui {

class MainWindow;

struct Options {
    QStringList files;
    QString watched;            ///< folder of a run that goes on; empty: none
    QString screenshot;         ///< picture file to write instead of showing a window; empty: none
    std::optional<QSize> size;  ///< of window or picture; nothing: the usual one
    QString metric;
    std::optional<ViewState> state;
    QString reference;     ///< the experiment that the mode `External` relates to
    QString detail;        ///< the view below the panes; empty: as the state says
    algebra::Roofs roofs;  ///< of a node, for the roofline
    std::vector<SourceMapping> sources;
    std::optional<ColorMap> colors;  ///< nothing: as the state says
    bool expandHottest = false;
    bool sideBySide = false;
    ValueMode mode = ValueMode::Absolute;
    Theme theme = Theme::System;

    /// Whether they say what of an experiment is looked at, so that the summary does not open by itself.
    bool sayWhatIsSeen() const {
        return state || !metric.isEmpty() || !detail.isEmpty() || expandHottest || sideBySide;
    }
};

/// What to print and the exit code, when there is nothing to browse.
struct Ending {
    QString text;
    int code = 0;
};

/// Understands the command line; needs no application object.
std::variant<Options, Ending> parseOptions(const QStringList& arguments);

/// Shows the part of the run that the state of the options is of, if there is one. `then` follows, also where
/// that is not possible.
void showPartOf(MainWindow& window, const Options& options, const std::function<void()>& then);

/// Applies what the command line asks for to an open browser. Throws `holos::Error` when the metric, or
/// what the state names, is not there.
void applyOptions(MainWindow& window, const Options& options);

}  // namespace holos::gui
