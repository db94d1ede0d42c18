// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace holos::gui {

class MainWindow;
struct Options;

/// Shows the part of the run that the state of the options is of, if there is one. `then` follows, also where
/// that is not possible.
void showPartOf(MainWindow& window, const Options& options, const std::function<void()>& then);

/// Applies what the command line asks for to an open browser. Throws `holos::Error` when the metric, or
/// what the state names, is not there.
void applyOptions(MainWindow& window, const Options& options);

}  // namespace holos::gui
