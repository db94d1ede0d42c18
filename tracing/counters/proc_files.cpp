// SPDX-License-Identifier: BSD-3-Clause
// What the kernel tells of a process and of the node in files of /proc and /sys.
#include "tracing/counters/files.h"

namespace holos::counters {
namespace {

constexpr std::uint64_t kSector = 512;     ///< bytes, whatever the disk has
constexpr std::uint64_t kKibibyte = 1024;  ///< bytes; the kernel writes kB

std::vector<FileValue> ofProcess() {
    const std::string status = "/proc/self/status";
    const std::string io = "/proc/self/io";
    return {
        {{"proc_rss", "Resident memory of the process", "bytes", Mode::Absolute, ""},
         status,
         "VmRSS:",
         0,
         kKibibyte},
        {{"proc_swap", "Memory of the process that was swapped out", "bytes", Mode::Absolute, ""},
         status,
         "VmSwap:",
         0,
         kKibibyte},
        {{"proc_threads", "Threads of the process", "#", Mode::Absolute, ""}, status, "Threads:"},
        {{"proc_read", "Read by the process, from files and others", "bytes", Mode::Accumulated, ""},
         io,
         "rchar:"},
        {{"proc_written", "Written by the process, to files and others", "bytes", Mode::Accumulated, ""},
         io,
         "wchar:"},
        {{"proc_disk_read", "Read from disks for the process", "bytes", Mode::Accumulated, ""},
         io,
         "\nread_bytes:"},
        {{"proc_disk_written", "Written to disks for the process", "bytes", Mode::Accumulated, ""},
         io,
         "\nwrite_bytes:"},
    };
}

void addMemory(std::vector<FileValue>& all) {
    const auto add = [&](const char* name, const char* description, const char* key) {
        all.push_back({{name, description, "bytes", Mode::Absolute, ""}, "/proc/meminfo", key, 0, kKibibyte});
    };
    add("mem_free", "Memory that nobody uses", "MemFree:");
    add("mem_available", "Memory that programs could still get", "MemAvailable:");
}

void addNetwork(std::vector<FileValue>& all) {
    for (const auto& device : entriesOf("/sys/class/net")) {
        const std::string name = "net_" + device.filename().string();
        const auto add = [&](const char* what, const char* description, const char* unit, const char* file) {
            all.push_back(
                {{name + what, description, unit, Mode::Accumulated, ""}, device / "statistics" / file});
        };
        add("_received", "Received from the network", "bytes", "rx_bytes");
        add("_sent", "Sent to the network", "bytes", "tx_bytes");
        add("_packets_received", "Packets received from the network", "occ", "rx_packets");
        add("_packets_sent", "Packets sent to the network", "occ", "tx_packets");
    }
}

void addDisks(std::vector<FileValue>& all) {
    constexpr unsigned kSectorsRead = 2;  // of Documentation/block/stat.rst
    constexpr unsigned kSectorsWritten = 6;
    for (const auto& disk : entriesOf("/sys/block")) {
        const std::string name = "disk_" + disk.filename().string();
        if (disk.filename().string().starts_with("loop")) continue;
        all.push_back({{name + "_read", "Read from the disk", "bytes", Mode::Accumulated, ""},
                       disk / "stat",
                       "",
                       kSectorsRead,
                       kSector});
        all.push_back({{name + "_written", "Written to the disk", "bytes", Mode::Accumulated, ""},
                       disk / "stat",
                       "",
                       kSectorsWritten,
                       kSector});
    }
}

std::vector<FileValue> ofNode() {
    std::vector<FileValue> all;
    addMemory(all);
    addNetwork(all);
    addDisks(all);
    return all;
}

}  // namespace

const Source& processFiles() {
    static const auto* source =
        new FileSource({"memory and files of the process", Scope::Process, &ofProcess, ""});
    return *source;
}

const Source& nodeFiles() {
    static const auto* source =
        new FileSource({"memory, network and disks of the node", Scope::Node, &ofNode, ""});
    return *source;
}

}  // namespace holos::counters
