// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Variables of the environment by which a command tells the recorder of a run. Settings, which people may
/// set, are in `settings.h`.
namespace holos::tracing::core {

inline constexpr const char* kRunVariable = "HOLOS_RUN";              ///< its random id
inline constexpr const char* kRecordingVariable = "HOLOS_RECORDING";  ///< the folder that is written to
/// A path that leads to the folder when it has been moved.
inline constexpr const char* kRecordingLinkVariable = "HOLOS_RECORDING_LINK";

/// Where launchers put the rank of a process in its environment; the first one that is a number counts.
inline constexpr const char* kRankVariables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                                 "SLURM_PROCID"};

}  // namespace holos::tracing::core
