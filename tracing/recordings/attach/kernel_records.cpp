// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/kernel_records.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"

namespace holos::attach {
namespace {

/// Takes fields off the front of a record. Behind the end all are zero, and `isShort`.
class Fields {
  public:
    explicit Fields(std::span<const unsigned char> bytes) : rest_(bytes) {}

    template <class T>
    T get() {
        T value{};
        if (const auto bytes = take(sizeof value); !bytes.empty())
            std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    /// Empty where there are fewer.
    std::span<const unsigned char> take(std::size_t bytes) {
        isShort_ |= bytes > rest_.size();
        if (isShort_) return {};
        const auto taken = rest_.first(bytes);
        rest_ = rest_.subspan(bytes);
        return taken;
    }
    std::string text() {
        const auto* const begin = reinterpret_cast<const char*>(rest_.data());
        return {begin, ::strnlen(begin, rest_.size())};
    }
    std::size_t size() const { return rest_.size(); }
    bool isShort() const { return isShort_; }

  private:
    std::span<const unsigned char> rest_;
    bool isShort_ = false;
};

std::vector<std::uint64_t> chain(Fields& fields) {
    std::vector<std::uint64_t> callers;
    const auto n = fields.get<std::uint64_t>();
    if (n > fields.size() / sizeof n) {
        fields.take(fields.size() + 1);
        return callers;
    }
    for (std::uint64_t i = 0; i < n; ++i)
        if (const auto address = fields.get<std::uint64_t>(); address < PERF_CONTEXT_MAX)
            callers.push_back(address);
    return callers;
}

std::vector<std::uint64_t> registers(Fields& fields) {
    std::vector<std::uint64_t> values;
    if (fields.get<std::uint64_t>() == PERF_SAMPLE_REGS_ABI_NONE) return values;
    for (unsigned i = 0; i < kRegisters; ++i) values.push_back(fields.get<std::uint64_t>());
    return values;
}

/// Its room, that, and how much of that is used.
std::vector<unsigned char> stack(Fields& fields) {
    const auto room = fields.get<std::uint64_t>();
    if (room == 0) return {};
    const auto bytes = fields.take(room);
    const auto used = fields.get<std::uint64_t>();
    if (used > bytes.size()) return {};
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(used)};
}

KernelSample sample(Fields& fields, bool hasAccess) {
    KernelSample result;
    fields.get<std::uint64_t>();  // where the thread was, perhaps in the kernel
    result.process = fields.get<std::uint32_t>();
    result.thread = fields.get<std::uint32_t>();
    result.time = fields.get<std::uint64_t>();
    const std::uint64_t address = hasAccess ? fields.get<std::uint64_t>() : 0;
    result.callers = chain(fields);
    result.registers = registers(fields);
    result.stack = stack(fields);
    if (!hasAccess) return result;
    const auto weight = fields.get<std::uint64_t>();
    result.access = counters::memoryAccess(address, weight, fields.get<std::uint64_t>());
    return result;
}

/// The last eight bytes of a record that is no sample.
std::uint64_t timeBehind(std::span<const unsigned char> record) {
    std::uint64_t time = 0;
    std::memcpy(&time, record.data() + record.size() - sizeof time, sizeof time);
    return time;
}

/// Of `comm`; the name itself is of no interest.
std::optional<KernelRecord> exec(Fields& fields, std::uint16_t flags, std::uint64_t time) {
    if ((flags & PERF_RECORD_MISC_COMM_EXEC) == 0) return std::nullopt;
    return KernelExec{fields.get<std::uint32_t>(), time};
}

KernelMapping mapping(Fields& fields, std::uint64_t time) {
    constexpr std::size_t kDeviceAndProtection = 32;
    KernelMapping result;
    result.process = fields.get<std::uint32_t>();
    fields.get<std::uint32_t>();
    result.begin = fields.get<std::uint64_t>();
    result.bytes = fields.get<std::uint64_t>();
    result.offset = fields.get<std::uint64_t>();
    fields.take(kDeviceAndProtection);
    result.time = time;
    if (!fields.isShort()) result.path = fields.text();
    return result;
}

}  // namespace

std::optional<KernelRecord> parseKernelRecord(std::span<const unsigned char> record, bool hasAccesses) {
    constexpr std::size_t kIdentity = 16;  // process, thread and time behind what is no sample
    perf_event_header header{};
    if (record.size() < sizeof header + kIdentity) return std::nullopt;
    std::memcpy(&header, record.data(), sizeof header);
    const bool isSample = header.type == PERF_RECORD_SAMPLE;
    Fields fields(record.subspan(sizeof header, record.size() - sizeof header - (isSample ? 0 : kIdentity)));
    const std::uint64_t time = timeBehind(record);
    std::optional<KernelRecord> result;
    switch (header.type) {
        case PERF_RECORD_SAMPLE:
            result = sample(fields, hasAccesses);
            break;
        case PERF_RECORD_FORK:
        case PERF_RECORD_EXIT: {
            KernelFork fork;
            fork.process = fields.get<std::uint32_t>();
            fork.parent = fields.get<std::uint32_t>();
            fork.thread = fields.get<std::uint32_t>();
            fork.parentThread = fields.get<std::uint32_t>();
            fork.time = fields.get<std::uint64_t>();
            if (header.type == PERF_RECORD_FORK)
                result = fork;
            else
                result = KernelExit{fork.process, fork.thread, fork.time};
            break;
        }
        case PERF_RECORD_COMM:
            result = exec(fields, header.misc, time);
            break;
        case PERF_RECORD_MMAP2:
            result = mapping(fields, time);
            break;
        case PERF_RECORD_LOST:
            fields.get<std::uint64_t>();
            result = KernelLoss{fields.get<std::uint64_t>()};
            break;
        default:
            break;
    }
    if (fields.isShort()) return std::nullopt;
    return result;
}

std::optional<KernelOwnRecords> parseOwnRecords(std::span<const unsigned char> record) {
    perf_event_header header{};
    if (record.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, record.data(), sizeof header);
    if (header.type != PERF_RECORD_AUX) return std::nullopt;
    Fields fields(record.subspan(sizeof header));
    KernelOwnRecords result;
    result.from = fields.get<std::uint64_t>();
    result.bytes = fields.get<std::uint64_t>();
    fields.get<std::uint64_t>();  // flags
    result.process = fields.get<std::uint32_t>();
    result.thread = fields.get<std::uint32_t>();
    result.time = fields.get<std::uint64_t>();
    return fields.isShort() ? std::nullopt : std::optional(result);
}

std::uint64_t timeOf(const KernelRecord& record) {
    return std::visit(
        [](const auto& one) -> std::uint64_t {
            if constexpr (requires { one.time; })
                return one.time;
            else
                return 0;
        },
        record);
}

namespace {

/// Together as much as the kernel gives everybody by default (`kernel.perf_event_mlock_kb`).
constexpr std::size_t kBytes = 512 * 1024;
constexpr std::size_t kBytesBesideOwn = 128 * 1024;
constexpr std::size_t kOwnBytes = 256 * 1024;

std::size_t pageBytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void* mapped(int file, std::size_t bytes, std::size_t offset) {
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
    if (memory == MAP_FAILED)
        throw Error(std::string("the kernel gives no memory for samples: ") + std::strerror(errno) +
                    (errno == EPERM ? " (other programs use what kernel.perf_event_mlock_kb allows; 'ulimit "
                                      "-l' allows more)"
                                    : ""));
    return memory;
}

}  // namespace

RecordBuffer::RecordBuffer(int file, bool hasOwnRecords) {
    const std::size_t bytes = pageBytes() + (hasOwnRecords ? kBytesBesideOwn : kBytes);
    page_ = static_cast<perf_event_mmap_page*>(mapped(file, bytes, 0));
    if (!hasOwnRecords) return;
    page_->aux_offset = bytes;
    page_->aux_size = kOwnBytes;
    try {
        own_ = static_cast<unsigned char*>(mapped(file, kOwnBytes, bytes));
    } catch (...) {
        ::munmap(page_, bytes);
        throw;
    }
}

std::size_t RecordBuffer::ringBytes() const {
    return own_ != nullptr ? kBytesBesideOwn : kBytes;
}

RecordBuffer::~RecordBuffer() {
    if (page_ == nullptr) return;
    const std::size_t bytes = pageBytes() + ringBytes();
    if (own_ != nullptr) ::munmap(own_, kOwnBytes);
    ::munmap(page_, bytes);
}

RecordBuffer::RecordBuffer(RecordBuffer&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)), own_(std::exchange(other.own_, nullptr)) {}

void RecordBuffer::take(const std::function<void(std::span<const unsigned char>)>& consume) {
    const auto* const ring = reinterpret_cast<const unsigned char*>(page_) + pageBytes();
    const std::uint64_t head = __atomic_load_n(&page_->data_head, __ATOMIC_ACQUIRE);
    recordsIn({ring, ringBytes()}, page_->data_tail, head, consume);
    __atomic_store_n(&page_->data_tail, head, __ATOMIC_RELEASE);
}

void RecordBuffer::takeOwn(std::uint64_t from, std::uint64_t bytes,
                           const std::function<void(std::span<const unsigned char>)>& consume) {
    if (own_ == nullptr) return;
    std::atomic_thread_fence(std::memory_order_acquire);
    consume(bytesOf({own_, kOwnBytes}, from, bytes));
    __atomic_store_n(&page_->aux_tail, from + bytes, __ATOMIC_RELEASE);
}

std::vector<unsigned char> bytesOf(std::span<const unsigned char> ring, std::uint64_t from,
                                   std::uint64_t bytes) {
    const std::uint64_t there = std::min<std::uint64_t>(bytes, ring.size());
    std::vector<unsigned char> copy;
    copy.reserve(there);
    for (std::uint64_t at = from + (bytes - there); copy.size() < there;) {
        const std::size_t begin = at % ring.size();
        const std::size_t part = std::min(ring.size() - begin, static_cast<std::size_t>(there) - copy.size());
        const auto piece = ring.subspan(begin, part);
        copy.insert(copy.end(), piece.begin(), piece.end());
        at += part;
    }
    return copy;
}

std::size_t recordsIn(std::span<const unsigned char> ring, std::size_t from, std::size_t to,
                      const std::function<void(std::span<const unsigned char>)>& consume) {
    std::vector<unsigned char> record;
    while (to - from >= sizeof(perf_event_header)) {
        perf_event_header header{};  // aligned to eight bytes, and so never at the seam
        std::memcpy(&header, &ring[from % ring.size()], sizeof header);
        if (header.size < sizeof header || header.size > to - from) break;
        const std::size_t at = from % ring.size();
        const std::size_t first = std::min<std::size_t>(header.size, ring.size() - at);
        record.assign(ring.begin() + static_cast<std::ptrdiff_t>(at),
                      ring.begin() + static_cast<std::ptrdiff_t>(at + first));
        record.insert(record.end(), ring.begin(),
                      ring.begin() + static_cast<std::ptrdiff_t>(header.size - first));
        consume(record);
        from += header.size;
    }
    return from;
}

}  // namespace holos::attach
