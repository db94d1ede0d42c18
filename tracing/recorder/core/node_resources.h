// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

/// The control groups that the process is in, by which containers and jobs limit what it may use
/// (cgroups(7)).
namespace holos::tracing::core {

/// The begin of a small file of the kernel; empty where there is none.
class KernelText {
  public:
    KernelText(const char* root, const char* folder, const char* name) noexcept;

    char* begin() noexcept { return text_; }
    const char* begin() const noexcept { return text_; }

    /// Nothing where it does not begin with a number, as with `max`.
    std::optional<std::uint64_t> number() const noexcept { return numberAt(text_); }
    /// What stands behind a word at the begin of a line.
    std::optional<std::uint64_t> numberOf(const char* word) const noexcept;
    /// The next number behind a place in the text.
    static std::optional<std::uint64_t> numberAt(const char* text) noexcept;

  private:
    char text_[8192] = {};
    std::size_t size_ = 0;
};

/// The group of a line such as `4:cpu,memory:/job` or, of version 2, `0::/job`, where it is one with this
/// controller; else null. The line's end is set to zero.
char* groupOfLine(char* line, const char* controller, bool& isVersion2) noexcept;

/// Calls `visit(isVersion2, group)` for the process's groups with this controller, and for those around them:
/// a container may see only some of them. The group has the form `/job/step`, the outermost one is empty.
/// `root`: of the files, for tests.
template <class Visit>
void forEachGroup(const char* root, const char* controller, Visit visit) noexcept {
    KernelText groups(root, "/proc/self", "/cgroup");
    for (char* line = groups.begin(); *line != '\0';) {
        char* const end = std::strchr(line, '\n');
        if (end != nullptr) *end = '\0';
        bool isVersion2 = false;
        if (char* const group = groupOfLine(line, controller, isVersion2); group != nullptr)
            for (;;) {
                visit(isVersion2, std::strcmp(group, "/") == 0 ? "" : group);
                char* const slash = std::strrchr(group, '/');
                if (slash == nullptr || slash[1] == '\0') break;
                slash[slash == group ? 1 : 0] = '\0';
            }
        if (end == nullptr) break;
        line = end + 1;
    }
}

/// What limits the processors of a process, as that of a container.
struct ProcessorLimit {
    std::uint64_t thousandths = 0;  ///< of a processor that may be used on average; 0: there is no limit
    std::uint64_t stopped = 0;      ///< nanoseconds in which the group was stopped because of it
};
/// By the control group with the smallest limit.
ProcessorLimit processorLimit(const char* root) noexcept;

// How much memory the recorder may use for events that wait to be copied to the disk. It is memory of the
// job: where a control group limits that, the kernel kills a process of it when there is no more.

/// Bytes that processes of this control group can still take: of the node, and of all groups around it that
/// have a limit. What the kernel keeps of files counts as free, as it gives that up. `root`: the folder in
/// which `/proc` and `/sys` are; empty but in tests. Opens files.
std::uint64_t freeMemory(const char* root) noexcept;

/// Processes that the launcher has started on this node, by its variables; 1 where it does not tell.
std::uint64_t processesOfNode() noexcept;

/// What a process keeps in memory.
struct CopyRoom {
    std::size_t waitingBytes;  ///< at most, of chunks that wait to be copied
    std::size_t chunkBytes;    ///< of the largest chunk of a thread
};

/// A small part of what is free, in equal shares; a little in any case, and no more than is of use.
CopyRoom copyRoomOf(std::uint64_t freeBytes, std::uint64_t processes) noexcept;

/// How long processors of the machine have been in use since it started, by whatever programs and by the
/// kernel, and by other virtual machines where it is one: nanoseconds of all processors together, as the
/// kernel counts them (`/proc/stat`, in steps of 10 ms). 0 where it does not tell. Allocates nothing.
/// `root`: of the files, for tests.
std::uint64_t machineUse(const char* root) noexcept;

}  // namespace holos::tracing::core
