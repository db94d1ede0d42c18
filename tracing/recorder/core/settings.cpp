// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/settings.h"

#include <cstdlib>
#include <cstring>

#include "tracing/recorder/memory/heap.h"

namespace holos::tracing::core {
namespace {

/// The program may change its environment later, or write over the place where that was.
Settings read() noexcept {
    const char* const text = std::getenv(kSettingsVariable);
    if (text == nullptr) return {};
    const std::size_t bytes = std::strlen(text) + 1;
    void* const copy = heap::allocate(bytes);
    if (copy == nullptr) return {};
    return decode(static_cast<char*>(std::memcpy(copy, text, bytes)));
}

}  // namespace

const Settings& settings() noexcept {
    static const Settings own = read();
    return own;
}

}  // namespace holos::tracing::core
