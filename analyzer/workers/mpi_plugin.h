// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sched.h>

#include <cstddef>

/// What a plugin for one MPI offers: the only part of the analysis that is linked to MPI. Errors of MPI end
/// all processes, with MPI's own message.
struct HolosMpi {
    int self;
    int count;
    int onThisMachine;
    cpu_set_t processors;  ///< of all ranks on this machine
    void* ranks;           ///< first argument of the functions; `finish` frees it
    void (*send)(void* ranks, int to, const char* data, std::size_t bytes);
    void (*receive)(void* ranks, int from, char* data, std::size_t bytes);
    void (*finish)(void* ranks);
};

/// Name and type of the function by which a plugin begins.
inline constexpr const char* kHolosMpiBegin = "holosMpiBegin";
using HolosMpiBegin = HolosMpi(int self);
