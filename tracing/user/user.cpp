// SPDX-License-Identifier: BSD-3-Clause
// The recorder's side of the user interface.
#include "tracing/core/events.h"
#include "tracing/user/include/holos/holos.h"

#define HOLOS_EXPORTED extern "C" __attribute__((visibility("default")))

using namespace holos::tracing;

HOLOS_EXPORTED holos_region holos_region_define(const char* name, const char* file, unsigned line) {
    if (name == nullptr || *name == '\0') return 0;
    return defineRegion({name, file != nullptr && *file != '\0' ? file : nullptr, line, line, Paradigm::User,
                         Role::Function});
}

HOLOS_EXPORTED void holos_region_enter(holos_region region) {
    enter(region);
}
HOLOS_EXPORTED void holos_region_leave(holos_region region) {
    leave(region);
}

HOLOS_EXPORTED const holos_interface* holos_get_interface(unsigned version) {
    static const holos_interface interface { holos_region_define, holos_region_enter, holos_region_leave };
    return version == HOLOS_INTERFACE_VERSION ? &interface : nullptr;
}
