// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json.h"
#include "tracing/recordings/archive/record_settings.h"

namespace holos::archive {

/// Each setting by its name: times in nanoseconds (`throttle-below` in microseconds), sizes in bytes, choices
/// as their words; null for what nothing was said of.
nlohmann::json settingsJson(const RecordSettings& settings);

/// What is not named is as usual. Throws `Error` for a value of another kind.
RecordSettings settingsFrom(const nlohmann::json& object);

}  // namespace holos::archive
