// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::gui {

class MainWindow;
struct Options;

/// Applies what the command line asks for to an open browser. Throws `holos::Error` when the metric, or
/// what the state names, is not there.
void applyOptions(MainWindow& window, const Options& options);

}  // namespace holos::gui
