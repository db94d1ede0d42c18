// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace holos::analyzer {

/// Where records are kept: in memory, or a file when the memory is limited (`RecordFile`). Not owned.
using Memory = std::pmr::memory_resource*;
/// Small lists are on the heap. Large ones have pages of their own, which the system has back as soon as a
/// list has grown out of them or is not needed any more.
Memory heap();
/// While there is one, the pages of large lists on the heap that are gone are used again for others. The
/// system clears every page that it hands out, which takes longer than writing records into it. Thread
/// safety: several may be there at the same time.
class PageReuse {
  public:
    PageReuse();
    /// The system gets back what is kept.
    ~PageReuse();
    PageReuse(const PageReuse&) = delete;
    PageReuse& operator=(const PageReuse&) = delete;

    /// Gives the system what is kept now: no large lists will be made for a while.
    static void giveBack();
};
/// Returns freed memory of the heap to the system (`malloc_trim`).
void trimHeap();

/// A piece of memory that grows. What is behind the part in use is not touched, so that it costs neither time
/// nor memory.
class GrowingPlace {
  public:
    explicit GrowingPlace(Memory memory) : memory_(memory) {}
    ~GrowingPlace() { release(); }
    GrowingPlace(GrowingPlace&& other) noexcept
        : memory_(other.memory_),
          begin_(std::exchange(other.begin_, nullptr)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    GrowingPlace& operator=(GrowingPlace&& other) noexcept {
        GrowingPlace old(std::exchange(memory_, other.memory_));
        old.begin_ = std::exchange(begin_, std::exchange(other.begin_, nullptr));
        old.capacity_ = std::exchange(capacity_, std::exchange(other.capacity_, 0));
        return *this;
    }
    GrowingPlace(const GrowingPlace&) = delete;
    GrowingPlace& operator=(const GrowingPlace&) = delete;

    Memory memory() const { return memory_; }
    void* begin() const { return begin_; }
    /// In bytes.
    std::size_t capacity() const { return capacity_; }
    /// Room for at least so many bytes, of which the first `used` stay as they are.
    void reserve(std::size_t capacity, std::size_t used);

  private:
    void release() {
        if (begin_ != nullptr) memory_->deallocate(begin_, capacity_);
    }

    Memory memory_;
    void* begin_ = nullptr;
    std::size_t capacity_ = 0;
};

/// What grows with a run's synchronization: a vector whose large lists grow without being copied. Moving one
/// costs nothing; what is moved takes its memory along.
template <class T>
class Records {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

  public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = T*;
    using const_iterator = const T*;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;

    explicit Records(Memory memory) : place_(memory) {}
    Records(std::size_t count, Memory memory) : Records(count, T{}, memory) {}
    Records(std::size_t count, const T& each, Memory memory) : place_(memory) { resize(count, each); }
    ~Records() = default;
    Records(Records&& other) noexcept
        : place_(std::move(other.place_)), size_(std::exchange(other.size_, 0)) {}
    Records& operator=(Records&& other) noexcept {
        place_ = std::move(other.place_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    Records(const Records&) = delete;
    Records& operator=(const Records&) = delete;

    Memory memory() const { return place_.memory(); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t capacity() const { return place_.capacity() / sizeof(T); }
    T* data() { return static_cast<T*>(place_.begin()); }
    const T* data() const { return static_cast<const T*>(place_.begin()); }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    T& front() { return data()[0]; }
    const T& front() const { return data()[0]; }
    T& back() { return data()[size_ - 1]; }
    const T& back() const { return data()[size_ - 1]; }

    void reserve(std::size_t capacity) {
        if (capacity > this->capacity()) place_.reserve(capacity * sizeof(T), size_ * sizeof(T));
    }
    void push_back(const T& one) {
        const T copy = one;  // it may be of this list
        if (size_ == capacity()) grow(size_ + 1);
        new (data() + size_++) T(copy);
    }
    template <class... Values>
    T& emplace_back(Values&&... values) {
        push_back(T{std::forward<Values>(values)...});
        return back();
    }
    void pop_back() { --size_; }
    void clear() { size_ = 0; }
    void resize(std::size_t size) { resize(size, T{}); }
    void resize(std::size_t size, const T& each) {
        if (size > capacity()) grow(size);
        if (size > size_) std::uninitialized_fill(end(), data() + size, each);
        size_ = size;
    }
    /// As `resize`, but what is new may be anything.
    void resizeUnset(std::size_t size) {
        if (size > capacity()) grow(size);
        size_ = size;
    }
    void assign(std::size_t count, const T& each) {
        clear();
        resize(count, each);
    }
    /// Adds what lies elsewhere.
    void append(const T* first, const T* last) {
        const auto count = static_cast<std::size_t>(last - first);
        if (count == 0) return;
        if (size_ + count > capacity()) grow(size_ + count);
        std::memcpy(static_cast<void*>(end()), first, count * sizeof(T));
        size_ += count;
    }
    void erase(T* first, const T* last) {
        const auto rest = static_cast<std::size_t>(end() - last);
        if (rest != 0 && first != last) std::memmove(static_cast<void*>(first), last, rest * sizeof(T));
        size_ -= static_cast<std::size_t>(last - first);
    }

  private:
    [[gnu::noinline]] void grow(std::size_t least) { reserve(std::max(least, 2 * capacity())); }

    GrowingPlace place_;
    std::size_t size_ = 0;
};

/// One for each location, in the memory given.
template <class T>
std::vector<Records<T>> recordsByLocation(std::size_t locations, Memory memory) {
    std::vector<Records<T>> all;
    all.reserve(locations);
    for (std::size_t i = 0; i < locations; ++i) all.emplace_back(memory);
    return all;
}

/// Keeps large lists of records in a file without a name, mapped into memory. While the process has more
/// memory than the limit, its parts are taken out of memory; they come back from the file when they are used.
/// Small lists stay on the heap.
/// Thread safety: safe.
class RecordFile final : public std::pmr::memory_resource {
  public:
    /// `limit`: bytes; `folder`: on a disk, as what lies in memory itself would gain nothing. Throws
    /// `holos::Error` when no file can be made there; so does `allocate` when the disk is full.
    RecordFile(std::uint64_t limit, const std::filesystem::path& folder);
    ~RecordFile() override;
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;

    /// The most that was in the file at a time, in bytes.
    std::uint64_t largest() const;
    /// How often its parts were taken out of memory.
    std::uint64_t evictions() const;
    /// Takes all its parts out of memory now, whatever the limit.
    void evict();

    /// Lists below are left on the heap.
    static constexpr std::size_t kSmallest = std::size_t{64} * 1024;

  private:
    struct Part {
        std::size_t bytes;
        std::uint64_t offset;
    };
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
    void watch(const std::stop_token& stop);
    [[noreturn]] void fail(const char* doing, int error) const;

    std::uint64_t limit_;
    std::filesystem::path folder_;
    int file_;
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::map<void*, Part> parts_;
    std::uint64_t end_ = 0;  ///< of the file
    std::uint64_t inFile_ = 0;
    std::uint64_t largest_ = 0;
    std::uint64_t evictions_ = 0;
    std::jthread watcher_;  ///< last: it ends before the rest goes
};

}  // namespace holos::analyzer
