// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <string>

namespace holos::analyzer::trace {

/// While one exists, OTF2's complaints of this thread are kept here instead of being printed.
/// Captures nest; the innermost one of a thread gets the message.
class ErrorCapture {
  public:
    /// What OTF2 does after a complaint. OTF2 3.0 frees memory a second time after a write that failed: a
    /// writer tells it to go on, and asks here whether all is well.
    enum class Then : std::uint8_t { Fails, GoesOn };

    explicit ErrorCapture(Then then = Then::Fails);
    ~ErrorCapture();
    ErrorCapture(const ErrorCapture&) = delete;
    ErrorCapture& operator=(const ErrorCapture&) = delete;

    /// The first complaint, or the library's text for `code` when there was none.
    std::string message(OTF2_ErrorCode code) const;
    bool empty() const { return first_.empty(); }
    /// Forgets what came so far.
    void clear() { first_.clear(); }

  private:
    static OTF2_ErrorCode receive(void*, const char* file, std::uint64_t line, const char* function,
                                  OTF2_ErrorCode code, const char* format, va_list arguments);
    std::string first_;
    ErrorCapture* outer_;
    Then then_;
};

/// The one place where results of OTF2 are checked: throws `holos::Error` that names the file.
void check(OTF2_ErrorCode code, const ErrorCapture& capture, const std::string& file,
           const std::string& doing);

}  // namespace holos::analyzer::trace
