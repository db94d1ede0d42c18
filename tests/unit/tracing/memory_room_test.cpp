// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/node_resources.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/support/temporary_directory.h"

namespace holos::tracing::core {
namespace {

constexpr std::uint64_t kMegabyteOfRoom = 1U << 20;

/// Files of a kernel.
class MemoryRoom : public ::testing::Test {
  protected:
    void SetUp() override { write("/proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 1048576 kB\n"); }

    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = root() + name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    void writeGroup(const std::string& folder, const std::string& limit, std::uint64_t used,
                    const std::string& parts = "") const {
        write("/sys/fs/cgroup" + folder + "/memory.max", limit + '\n');
        write("/sys/fs/cgroup" + folder + "/memory.current", std::to_string(used) + '\n');
        write("/sys/fs/cgroup" + folder + "/memory.stat", parts);
    }
    std::string root() const { return directory_.path().string(); }
    std::uint64_t megabytes() const { return freeMemory(root().c_str()) / kMegabyteOfRoom; }

    testing::TemporaryDirectory directory_;
};

TEST_F(MemoryRoom, withoutGroups_isThatOfTheNode) {
    EXPECT_EQ(megabytes(), 1024);
}

TEST_F(MemoryRoom, inAGroup_isWhatItsLimitLeaves) {
    write("/proc/self/cgroup", "0::/job/step\n");
    writeGroup("/job/step", std::to_string(60 * kMegabyteOfRoom), 20 * kMegabyteOfRoom);
    EXPECT_EQ(megabytes(), 40);
}

TEST_F(MemoryRoom, ofAGroupWithoutALimit_isThatOfTheGroupAround) {
    write("/proc/self/cgroup", "0::/job/step\n");
    writeGroup("/job/step", "max", 20 * kMegabyteOfRoom);
    writeGroup("/job", std::to_string(100 * kMegabyteOfRoom), 30 * kMegabyteOfRoom);
    EXPECT_EQ(megabytes(), 70);
}

TEST_F(MemoryRoom, ofAContainer_isThatOfItsOwnRoot) {
    write("/proc/self/cgroup", "0::/../elsewhere\n");
    writeGroup("", std::to_string(100 * kMegabyteOfRoom), 30 * kMegabyteOfRoom);
    EXPECT_EQ(megabytes(), 70);
}

TEST_F(MemoryRoom, withFilesThatTheKernelKeeps_hasTheirs_butNotThatOfDisksInMemory) {
    write("/proc/self/cgroup", "0::/job\n");
    writeGroup("/job", std::to_string(100 * kMegabyteOfRoom), 90 * kMegabyteOfRoom,
               "anon 1\nfile " + std::to_string(50 * kMegabyteOfRoom) + "\nshmem " +
                   std::to_string(10 * kMegabyteOfRoom) + '\n');
    EXPECT_EQ(megabytes(), 50);
}

TEST_F(MemoryRoom, inAGroupOfVersionOne_isWhatItsLimitLeaves) {
    write("/proc/self/cgroup", "12:cpuset:/\n4:cpu,memory:/job\n0::/\n");
    write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", std::to_string(80 * kMegabyteOfRoom));
    write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", std::to_string(30 * kMegabyteOfRoom));
    EXPECT_EQ(megabytes(), 50);
}

TEST_F(MemoryRoom, ofAFullGroup_isNone) {
    write("/proc/self/cgroup", "0::/job\n");
    writeGroup("/job", std::to_string(kMegabyteOfRoom), 2 * kMegabyteOfRoom);
    EXPECT_EQ(megabytes(), 0);
}

TEST(CopyRoom, ofMuchMemory_isWhatIsOfUse) {
    const CopyRoom room = copyRoomOf(std::uint64_t{64} << 30, 1);
    EXPECT_EQ(room.waitingBytes, 64 * kMegabyteOfRoom);
    EXPECT_EQ(room.chunkBytes, 256U << 10);
}

TEST(CopyRoom, ofManyProcesses_isAShareOfEach) {
    const CopyRoom room = copyRoomOf(std::uint64_t{16} << 30, 128);
    EXPECT_EQ(room.waitingBytes, 16 * kMegabyteOfRoom);
    EXPECT_EQ(room.chunkBytes, 256U << 10);
}

TEST(CopyRoom, ofASmallGroup_isSmall) {
    const CopyRoom room = copyRoomOf(40 * kMegabyteOfRoom, 1);
    EXPECT_EQ(room.waitingBytes, 5 * kMegabyteOfRoom);
    EXPECT_EQ(room.chunkBytes, 64U << 10);
}

TEST(CopyRoom, ofNoMemory_isALittle) {
    const CopyRoom room = copyRoomOf(0, 1000);
    EXPECT_EQ(room.waitingBytes, kMegabyteOfRoom);
    EXPECT_GE(room.chunkBytes, 16U << 10);
}

TEST(CopyRoom, isSharedByThoseThatTheLauncherStarted) {
    for (const char* const name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                   "SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE", "PALS_LOCAL_SIZE"})
        ::unsetenv(name);
    EXPECT_EQ(processesOfNode(), 1);
    ::setenv("SLURM_TASKS_PER_NODE", "48(x2),13", 1);
    EXPECT_EQ(processesOfNode(), 48);
    ::setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
    EXPECT_EQ(processesOfNode(), 4);
    ::unsetenv("SLURM_TASKS_PER_NODE");
    ::unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
}

}  // namespace
}  // namespace holos::tracing::core
