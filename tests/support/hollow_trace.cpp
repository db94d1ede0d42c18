// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/hollow_trace.h"

#include <otf2/otf2.h>

namespace holos::testing {

namespace {

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}

}  // namespace

std::filesystem::path writeHollowTrace(const std::filesystem::path& folder, std::uint32_t locations,
                                       std::uint64_t missingEvents) {
    const OTF2_FlushCallbacks callbacks{flush, nullptr};
    OTF2_Archive* const archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1U << 18U,
                                                    1U << 22U, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_GlobalDefWriter* const definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1'000'000'000, 0, 1000, 0);
    OTF2_GlobalDefWriter_WriteString(definitions, 0, "here");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t i = 0; i < locations; ++i) {
        OTF2_GlobalDefWriter_WriteLocationGroup(definitions, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(definitions, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, missingEvents,
                                           i);
    }
    OTF2_Archive_Close(archive);
    return folder / "traces.otf2";
}

}  // namespace holos::testing
