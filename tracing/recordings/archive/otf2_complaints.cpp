// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/otf2_complaints.h"

#include <string_view>

namespace holos::archive {

OTF2_ErrorCode Otf2Complaints::receive(void* self, const char* /*file*/, std::uint64_t /*line*/,
                                       const char* function, OTF2_ErrorCode code, const char* /*format*/,
                                       va_list /*values*/) {
    if (code == OTF2_WARNING || code == OTF2_DEPRECATED) return code;
    auto& complaints = *static_cast<Otf2Complaints*>(self);
    const std::lock_guard lock(complaints.mutex_);
    if (complaints.first_ == OTF2_SUCCESS) complaints.first_ = code;
    // What is returned here is what the function that complains returns.
    const bool isWrite = function != nullptr && std::string_view(function) == "otf2_file_posix_write";
    return isWrite ? OTF2_SUCCESS : code;
}

}  // namespace holos::archive
