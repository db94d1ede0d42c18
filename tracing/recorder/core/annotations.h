// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What programs say of themselves by interfaces made for other tools: `tracing/recorder/annotations`, which
/// stands above and defines this.
namespace holos::tracing::annotations {

/// At the end of the program: says what was left out, and which interfaces another tool heard.
void noteAtEnd() noexcept;

}  // namespace holos::tracing::annotations
