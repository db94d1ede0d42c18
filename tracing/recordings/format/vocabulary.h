// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// What events and definitions say of regions, operations and files: the words that adapters use, that stand
/// in a recording, and that a trace is made from.
#pragma GCC visibility push(default)  // the MPI adapters are libraries of their own
namespace holos::tracing {

enum class Paradigm : std::uint8_t { User, Compiler, Mpi, OpenMp, Pthread, Measurement, System };

enum class Role : std::uint8_t {
    Function,
    Code,
    Wrapper,
    Parallel,
    Loop,
    Sections,
    Single,
    Master,
    Workshare,
    Critical,
    CriticalBlock,
    Atomic,
    Ordered,
    OrderedBlock,
    Barrier,
    ImplicitBarrier,
    Task,
    TaskCreate,
    TaskWait,
    Flush,
    PointToPoint,
    CollectiveOneToAll,
    CollectiveAllToOne,
    CollectiveAllToAll,
    CollectiveOther,
    Rma,
    FileIo,
    Artificial,
    Program,
    DataTransfer,
    Allocate,
    Initialize,
    Finalize,
    Lock,
    Phase,
    ThreadCreate,
    ThreadWait
};

enum class MetricType : std::uint8_t { Integer, Real };

/// Who is who where processes of two worlds meet.
enum class MeetingSide : std::uint8_t { Parent, Child, Acceptor, Connector, LowerSocket, HigherSocket };

struct GridDimension {
    std::uint32_t size;
    bool isPeriodic;
};

enum class Collective : std::uint8_t {
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Allreduce,
    Reduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    CreateHandle,
    DestroyHandle,
    CreateHandleAndAllocate,
    DestroyHandleAndDeallocate
};

inline constexpr std::uint32_t kNoRoot = 0xFFFFFFFFu;
/// Beside the root in its word: the process receives something from every other one, in an operation where
/// that depends on the program.
inline constexpr std::uint64_t kReceivesFromAll = std::uint64_t{1} << 32U;
/// Between two groups: the caller is the root; another process of its group is.
inline constexpr std::uint32_t kRootSelf = kNoRoot - 1;
inline constexpr std::uint32_t kRootInOwnGroup = kNoRoot - 2;

enum class RmaSyncLevel : std::uint8_t { Process = 1, ProcessAndMemory = 3 };
enum class RmaAtomic : std::uint8_t { Accumulate, CompareAndSwap, FetchAndAccumulate };
inline constexpr std::uint32_t kAllProcesses = 0xFFFFFFFFu;

enum class FileAccess : std::uint8_t { ReadOnly, WriteOnly, ReadWrite };
/// May be set together.
enum FileFlag : std::uint32_t { kCreateFile = 1, kExclusively = 2, kAppend = 4, kDeleteOnClose = 8 };
enum class FileOperation : std::uint8_t { Read, Write, Flush };
/// `OTF2_IoOperationFlag`.
enum class IoOperationFlag : std::uint8_t {
    None = 0,
    NonBlocking = 1,
    Collective = 2,
    NonBlockingCollective = 3
};
enum class SeekFrom : std::uint8_t { Begin, Here, End };
inline constexpr std::uint64_t kUnknownOffset = ~std::uint64_t{0};

}  // namespace holos::tracing
#pragma GCC visibility pop
