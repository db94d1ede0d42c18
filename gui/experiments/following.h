// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::gui {

class Browser;

/// Selects in a browser what is selected in another one, as far as it is there, by names.
void follow(Browser& browser, Browser& leader);

}  // namespace holos::gui
