/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that calls a tool as Kokkos does. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tool_library.h"

struct space {
    char name[64];
};
static void* tool(const char* name) {
    return toolFunction("KOKKOS_TOOLS_LIBS", name);
}
#define CALL(function, Type, ...)                              \
    do {                                                       \
        void* const found = tool("kokkosp_" function);         \
        if (found != NULL) ((void(*) Type)found)(__VA_ARGS__); \
    } while (0)

int main(void) {
    uint64_t first = 0, second = 0;
    bool settings[256] = {true};
    struct space host = {"Host"}, device = {"Device"};
    CALL("init_library", (int, uint64_t, uint32_t, void*), 0, 20240906, 0, NULL);
    CALL("request_tool_settings", (uint32_t, bool*), 1, settings);
    if (tool("kokkosp_request_tool_settings") != NULL && settings[0]) return 2;
    CALL("push_profile_region", (const char*), "step");
    CALL("allocate_data", (struct space, const char*, const void*, uint64_t), host, "x", NULL, 80);
    CALL("begin_parallel_for", (const char*, uint32_t, uint64_t*), "axpy", 0, &first);
    CALL("begin_parallel_reduce", (const char*, uint32_t, uint64_t*), "N3sim3DotE", 0, &second);
    CALL("end_parallel_reduce", (uint64_t), second);
    CALL("end_parallel_for", (uint64_t), first);
    CALL("begin_deep_copy",
         (struct space, const char*, const void*, struct space, const char*, const void*, uint64_t), host,
         "y", NULL, device, "x", NULL, 80);
    CALL("end_deep_copy", (void), );
    CALL("deallocate_data", (struct space, const char*, const void*, uint64_t), host, "x", NULL, 80);
    CALL("pop_profile_region", (void), );
    CALL("pop_profile_region", (void), ); /* none is open */
    uint32_t section = 0;
    CALL("create_profile_section", (const char*, uint32_t*), "output", &section);
    CALL("start_profile_section", (uint32_t), section);
    CALL("stop_profile_section", (uint32_t), section);
    CALL("profile_event", (const char*), "event");
    CALL("finalize_library", (void), );
    return 0;
}
