// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/error_capture.h"

#include <array>
#include <cstdio>
#include <mutex>

#include "base/error.h"

namespace holos::analyzer::trace {

namespace {
thread_local ErrorCapture* innermost = nullptr;
}

ErrorCapture::ErrorCapture(Then then) : outer_(innermost), then_(then) {
    // OTF2 has one callback for the whole process; it finds the thread's capture by itself.
    static std::once_flag registered;
    std::call_once(registered, [] { OTF2_Error_RegisterCallback(&ErrorCapture::receive, nullptr); });
    innermost = this;
}

ErrorCapture::~ErrorCapture() {
    innermost = outer_;
}

OTF2_ErrorCode ErrorCapture::receive(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code,
                                     const char* format, va_list arguments) {
    if (innermost == nullptr) return code;
    const OTF2_ErrorCode answer = innermost->then_ == Then::GoesOn ? OTF2_SUCCESS : code;
    if (!innermost->first_.empty()) return answer;
    std::array<char, 512> text{};
    if (format != nullptr) std::vsnprintf(text.data(), text.size(), format, arguments);
    innermost->first_ = OTF2_Error_GetDescription(code);
    if (text[0] != '\0') innermost->first_ += std::string(": ") + text.data();
    return answer;
}

std::string ErrorCapture::message(OTF2_ErrorCode code) const {
    if (!first_.empty()) return first_;
    const char* description = OTF2_Error_GetDescription(code);
    return description != nullptr ? description : "unknown error";
}

void check(OTF2_ErrorCode code, const ErrorCapture& capture, const std::string& file,
           const std::string& doing) {
    if (code == OTF2_SUCCESS) return;
    throw Error(doing + ": " + capture.message(code),
                Place{.file = file, .line = {}, .column = {}, .byte = {}, .location = {}, .event = {}});
}

}  // namespace holos::analyzer::trace
