// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/system/first_files.h"

#include <dlfcn.h>
#include <link.h>

namespace holos::tracing::system {
namespace {

/// Files in the order in which they were loaded. These never go, so that the list stays as it is up to there.
const link_map* first = nullptr;
const link_map* last = nullptr;

const link_map* fileOf(const void* code) noexcept {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    dl_find_object found{};
    return ::_dl_find_object(const_cast<void*>(code), &found) == 0 ? found.dlfo_link_map : nullptr;
#else
    Dl_info info{};
    link_map* file = nullptr;
    return ::dladdr1(code, &info, reinterpret_cast<void**>(&file), RTLD_DL_LINKMAP) != 0 ? file : nullptr;
#endif
}

}  // namespace

void noteFirstFiles() noexcept {
    first = last = _r_debug.r_map;
    while (last != nullptr && last->l_next != nullptr) last = last->l_next;
}

bool cameWithProgram(const void* code) noexcept {
    const link_map* const file = fileOf(code);
    if (file == nullptr) return false;
    for (const link_map* one = first; one != nullptr; one = one->l_next) {
        if (one == file) return true;
        if (one == last) break;
    }
    return false;
}

}  // namespace holos::tracing::system
