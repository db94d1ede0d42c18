/* SPDX-License-Identifier: BSD-3-Clause */
/* `libholos-annotations.so`: the tool that Kokkos, NVTX and ITT load, as `holos record` says. Its functions
 * are those of the recorder; without that, nothing is done. They are not the recorder's own, as that stands
 * in front of all libraries: of other tools, too, which may call functions of these names in themselves. */
#include <stdbool.h>
#include <stdint.h>

#define VISIBLE __attribute__((visibility("default")))

struct space {
    char name[64];
};

/* Type and names of the arguments. */
#define FORWARD(name, type, arguments)                               \
    extern void holos_kokkos_##name type __attribute__((weak));      \
    VISIBLE void kokkosp_##name type {                               \
        if (holos_kokkos_##name != 0) holos_kokkos_##name arguments; \
    }
#define FORWARD_KIND(kind)                                                                                 \
    FORWARD(begin_##kind, (const char* label, uint32_t device, uint64_t* number), (label, device, number)) \
    FORWARD(end_##kind, (uint64_t number), (number))
#define FORWARD_MEMORY(name)                                                                 \
    FORWARD(name, (struct space space, const char* label, const void* data, uint64_t bytes), \
            (space, label, data, bytes))

FORWARD(init_library, (int sequence, uint64_t version, uint32_t devices, void* infos),
        (sequence, version, devices, infos))
FORWARD(finalize_library, (void), ())
FORWARD(request_tool_settings, (uint32_t count, bool* settings), (count, settings))
FORWARD_KIND(parallel_for)
FORWARD_KIND(parallel_reduce)
FORWARD_KIND(parallel_scan)
FORWARD_KIND(fence)
FORWARD(push_profile_region, (const char* label), (label))
FORWARD(pop_profile_region, (void), ())
FORWARD(begin_deep_copy,
        (struct space to, const char* toLabel, const void* toData, struct space from, const char* fromLabel,
         const void* fromData, uint64_t bytes),
        (to, toLabel, toData, from, fromLabel, fromData, bytes))
FORWARD(end_deep_copy, (void), ())
FORWARD_MEMORY(allocate_data)
FORWARD_MEMORY(deallocate_data)
FORWARD(create_profile_section, (const char* label, uint32_t* number), (label, number))
FORWARD(destroy_profile_section, (uint32_t number), (number))
FORWARD(start_profile_section, (uint32_t number), (number))
FORWARD(stop_profile_section, (uint32_t number), (number))
FORWARD(profile_event, (const char* label), (label))

extern int holos_nvtx_attach(const void* exports) __attribute__((weak));
VISIBLE int InitializeInjectionNvtx2(const void* exports) {
    return holos_nvtx_attach != 0 ? holos_nvtx_attach(exports) : 0;
}

extern void holos_itt_attach(void* linked) __attribute__((weak));
VISIBLE void __itt_api_init(void* linked, int groups) {
    (void)groups;
    if (holos_itt_attach != 0) holos_itt_attach(linked);
}
