// SPDX-License-Identifier: BSD-3-Clause
// What the kernel tells of a process and of the node in files of /proc and /sys.
#include "tracing/counters/files.h"

namespace holos::counters {
namespace {

constexpr std::uint64_t kSector = 512;     ///< bytes, whatever the disk has
constexpr std::uint64_t kKibibyte = 1024;  ///< bytes; the kernel writes kB

/// What the executable and its libraries take, and what the process allocates (proc(5)).
void addOwnMemory(const std::string& folder, std::vector<FileValue>& all) {
    const auto add = [&](const char* name, const char* description, const char* key) {
        all.push_back(
            {{name, description, "bytes", Mode::Absolute, ""}, folder + "/status", key, 0, kKibibyte});
    };
    add("proc_rss", "Resident memory of the process", "VmRSS:");
    add("proc_rss_peak", "The most resident memory that the process had", "VmHWM:");
    add("proc_size", "Address space of the process", "VmSize:");
    add("proc_size_peak", "The largest address space that the process had", "VmPeak:");
    add("proc_text", "Code of the executable", "VmExe:");
    add("proc_libraries", "Code of the libraries", "VmLib:");
    add("proc_data", "Data of the process: of the executable and the libraries, and the heap", "VmData:");
    add("proc_stack", "Stack of the first thread", "VmStk:");
    add("proc_locked", "Memory of the process that may not be swapped out", "VmLck:");
    add("proc_swap", "Memory of the process that was swapped out", "VmSwap:");
}

void addMemory(const fs::path& root, std::vector<FileValue>& all) {
    const auto add = [&](const char* name, const char* description, const char* key) {
        all.push_back(
            {{name, description, "bytes", Mode::Absolute, ""}, root / "proc/meminfo", key, 0, kKibibyte});
    };
    add("mem_free", "Memory that nobody uses", "MemFree:");
    add("mem_available", "Memory that programs could still get", "MemAvailable:");
}

void addNetwork(const fs::path& folder, std::vector<FileValue>& all) {
    for (const auto& device : entriesOf(folder)) {
        const std::string name = "net_" + device.filename().string();
        const auto add = [&](const char* what, const char* description, const char* unit, const char* file) {
            all.push_back(
                {{name + what, description, unit, Mode::Accumulated, ""}, device / "statistics" / file});
        };
        add("_received", "Received from the network", "bytes", "rx_bytes");
        add("_sent", "Sent to the network", "bytes", "tx_bytes");
        add("_packets_received", "Packets received from the network", "occ", "rx_packets");
        add("_packets_sent", "Packets sent to the network", "occ", "tx_packets");
        add("_errors_received", "Packets with errors from the network", "occ", "rx_errors");
        add("_errors_sent", "Packets that could not be sent", "occ", "tx_errors");
        add("_dropped_received", "Packets from the network that were dropped", "occ", "rx_dropped");
        add("_dropped_sent", "Packets to the network that were dropped", "occ", "tx_dropped");
    }
}

/// Ports of InfiniBand and Omni-Path; their counters of data have words of four bytes (the kernel's
/// Documentation/ABI/stable/sysfs-class-infiniband).
void addFabric(const fs::path& folder, std::vector<FileValue>& all) {
    constexpr std::uint64_t kWord = 4;
    for (const auto& device : entriesOf(folder))
        for (const auto& port : entriesOf(device / "ports")) {
            const std::string name = "ib_" + device.filename().string() + '_' + port.filename().string();
            const auto add = [&](const char* what, const char* description, const char* unit,
                                 const char* file, std::uint64_t factor = 1) {
                all.push_back({{name + what, description, unit, Mode::Accumulated, ""},
                               port / "counters" / file,
                               "",
                               0,
                               factor});
            };
            add("_received", "Received by the port", "bytes", "port_rcv_data", kWord);
            add("_sent", "Sent by the port", "bytes", "port_xmit_data", kWord);
            add("_packets_received", "Packets received by the port", "occ", "port_rcv_packets");
            add("_packets_sent", "Packets sent by the port", "occ", "port_xmit_packets");
            add("_errors_received", "Packets with errors at the port", "occ", "port_rcv_errors");
            add("_dropped_sent", "Packets that the port dropped", "occ", "port_xmit_discards");
            add("_waits", "Times the port had data and could not send", "occ", "port_xmit_wait");
        }
}

/// Mounted Lustre file systems: `read_bytes N samples [bytes] SMALLEST LARGEST SUM`.
void addLustre(const fs::path& folder, std::vector<FileValue>& all) {
    constexpr unsigned kSum = 3, kOperations = 0;
    for (const auto& mount : entriesOf(folder)) {
        // `scratch-ffff8810…`: what stands behind the last dash differs from boot to boot.
        const std::string name =
            "lustre_" + mount.filename().string().substr(0, mount.filename().string().rfind('-'));
        const auto add = [&](const char* what, const char* description, const char* unit, const char* key,
                             unsigned field) {
            all.push_back(
                {{name + what, description, unit, Mode::Accumulated, ""}, mount / "stats", key, field});
        };
        add("_read", "Read from the file system", "bytes", "read_bytes", kSum);
        add("_written", "Written to the file system", "bytes", "write_bytes", kSum);
        add("_opens", "Files opened in the file system", "occ", "\nopen", kOperations);
    }
}

/// NFS: `net …`, `rpc CALLS RETRANSMISSIONS REFRESHES`.
void addNfs(const fs::path& file, std::vector<FileValue>& all) {
    std::error_code error;
    if (!fs::exists(file, error)) return;
    all.push_back({{"nfs_calls", "Calls of NFS servers", "occ", Mode::Accumulated, ""}, file, "rpc", 0});
    all.push_back(
        {{"nfs_repeated", "Calls of NFS servers that were sent again", "occ", Mode::Accumulated, ""},
         file,
         "rpc",
         1});
}

void addDisks(const fs::path& folder, std::vector<FileValue>& all) {
    constexpr unsigned kSectorsRead = 2;  // of Documentation/block/stat.rst
    constexpr unsigned kSectorsWritten = 6;
    for (const auto& disk : entriesOf(folder)) {
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

}  // namespace

std::vector<FileValue> processFilesIn(const std::string& folder) {
    const std::string status = folder + "/status";
    const std::string io = folder + "/io";
    std::vector<FileValue> all;
    addOwnMemory(folder, all);
    const std::vector<FileValue> others{
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
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::vector<FileValue> nodeFilesBelow(const fs::path& root) {
    std::vector<FileValue> all;
    addMemory(root, all);
    addNetwork(root / "sys/class/net", all);
    addFabric(root / "sys/class/infiniband", all);
    addDisks(root / "sys/block", all);
    addLustre(root / "proc/fs/lustre/llite", all);
    addLustre(root / "sys/kernel/debug/lustre/llite", all);
    addNfs(root / "proc/net/rpc/nfs", all);
    return all;
}

const Source& processFiles() {
    static const auto* source = new FileSource(
        {"memory and files of the process", Scope::Process, [] { return processFilesIn("/proc/self"); }, ""});
    return *source;
}

const Source& nodeFiles() {
    static const auto* source = new FileSource(
        {"memory, network and disks of the node", Scope::Node, [] { return nodeFilesBelow("/"); }, ""});
    return *source;
}

}  // namespace holos::counters
