// SPDX-License-Identifier: BSD-3-Clause
// Owns the precompiled headers of the libraries (HolosTargets.cmake); no code of its own.
