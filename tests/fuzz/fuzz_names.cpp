// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/function_name.h"

/// A symbol of Rust, or a name that is folded for reading.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static_cast<void>(holos::rustName(text));
    static_cast<void>(holos::folded(text, holos::Folding::All));
    static_cast<void>(holos::folded(text, holos::Folding::Nested));
    return 0;
}
