// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Variables of the environment by which a command tells the recorder of a run. Settings, which people may
/// set, are in `settings.h`.
namespace holos::tracing::core {

inline constexpr const char* kRunVariable = "HOLOS_RUN";              ///< its random id
inline constexpr const char* kRecordingVariable = "HOLOS_RECORDING";  ///< the folder that is written to
/// A path that leads to the folder when it has been moved.
inline constexpr const char* kRecordingLinkVariable = "HOLOS_RECORDING_LINK";

}  // namespace holos::tracing::core
