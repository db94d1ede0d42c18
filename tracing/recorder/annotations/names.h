// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "tracing/recorder/user/include/holos/holos.h"
#include "tracing/recordings/format/settings.h"

extern "C" const holos_interface* holos_get_interface(unsigned version);

namespace holos::tracing::annotations {

/// What programs tell by other interfaces is recorded as if they had told it by `holos/holos.h`.
inline const holos_interface& ownRecorder() noexcept {
    static const holos_interface* const own = holos_get_interface(HOLOS_INTERFACE_VERSION);
    return *own;
}

/// What programs call the things that they do, and the numbers of these in the recording. Interfaces give a
/// name with each event, so it is found without a lock.

/// What a name is of.
enum class What : std::uint8_t {
    Region,
    Phase,
    Integer,   ///< a metric whose values go up and down
    Real,      ///< floating-point numbers
    Bytes,     ///< `Integer`, in bytes
    Duration,  ///< a metric: seconds of something that lies across regions and threads
    Parameter,
    Text  ///< of no event: domains, handles of others
};

/// Lives as long as the process.
struct Name {
    Name* next;
    std::uint64_t hash;
    std::atomic<std::uint32_t> number;  ///< in the recording; 0: not known yet
    std::atomic<std::int64_t> sum;      ///< of what the program says by differences
    std::uint32_t length;               ///< of the text
    What what;
    Annotation interface;

    const char* text() const noexcept { return reinterpret_cast<const char*>(this + 1); }
    std::string_view view() const noexcept { return {text(), length}; }
};

/// The name `prefix` + `text`; equal ones are one. Texts are cut at 500 bytes. Null where there is none, no
/// memory, or too many: programs that make a new name for each step of millions would fill the definitions;
/// this is said with the finished trace.
Name* nameOf(Annotation, What, std::string_view prefix, std::string_view text) noexcept;
/// Of texts of C, which may be null.
Name* nameOf(Annotation, What, std::string_view prefix, const char* text) noexcept;
Name* nameOf(Annotation, What, std::string_view prefix, const wchar_t* text) noexcept;

/// Its number, as `holos/holos.h` has it; 0 where nothing is recorded.
std::uint32_t numberOf(Name&) noexcept;

/// What the calling thread does now: a moment, a value, a property of the region around it. Null names do
/// nothing.
void mark(Name*) noexcept;
void value(Name*, long long) noexcept;
void value(Name*, double) noexcept;
/// A value that the program tells by how much it changed, from 0 on, in all threads together.
void change(Name*, std::int64_t by) noexcept;
void parameter(Name*, long long) noexcept;

/// What goes in front of the names of a domain: `domain: `.
class Prefix {
  public:
    explicit Prefix(const char* domain) noexcept;
    std::string_view view() const noexcept { return {text_, length_}; }

  private:
    char text_[256];
    std::size_t length_ = 0;
};

/// A key for `names.h`.
std::uint64_t hashOf(std::string_view) noexcept;

}  // namespace holos::tracing::annotations

/// Which interfaces are heard, and what programs did by them that cannot be recorded as it was.
namespace holos::tracing::annotations {

/// Whether the settings want it.
bool isWanted(Annotation) noexcept;

/// Whether the settings want it and this process records. Says of an interface that was heard for the first
/// time that it was.
bool hears(Annotation) noexcept;

/// What is left out or changed, and counted.
enum class Oddity : std::uint8_t {
    EndWithoutBegin,  ///< left out
    Crossed,          ///< a range ended before one that began in it: that one goes on as another visit
    TooDeep,          ///< left out
    TooManyNames,     ///< left out
    TooManyAtOnce     ///< of those that need not nest: left out
};
void noteOddity(Annotation, Oddity) noexcept;

}  // namespace holos::tracing::annotations

/// The ranges in which the calling thread is. They become regions, which nest, whatever programs do.
namespace holos::tracing::annotations {

/// `key`: by which its end finds it, of that interface. Without a name it is no region.
void begin(Annotation, Name*, std::uint64_t key) noexcept;

/// Ends the innermost range with the key. Those that began in it and have not ended are left and entered
/// again. Where there is none nothing is done and, `mustBe`, it is counted. Whether there was one.
bool end(Annotation, std::uint64_t key, bool mustBe = true) noexcept;

/// Nothing of the calling thread is recorded in between. Ranges that ended there, but had begun before, end
/// with the pause.
void pauseThread() noexcept;
void resumeThread() noexcept;

/// The name of the innermost range of that interface with the key; null where there is none.
const Name* innermost(Annotation, std::uint64_t key) noexcept;

/// In how many of that interface with the key the calling thread is.
int depth(Annotation, std::uint64_t key) noexcept;

/// Things that need not nest and may end in another thread: their durations are values of a metric, in the
/// thread and region where they end. `key`: of one that is open, unique for the interface.
void beginLoose(Name* duration, std::uint64_t key) noexcept;
void endLoose(Annotation, std::uint64_t key) noexcept;

}  // namespace holos::tracing::annotations
