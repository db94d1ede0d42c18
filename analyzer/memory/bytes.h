// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "analyzer/memory/records.h"

namespace holos::analyzer {

/// Bytes that grow at their end. Room for more is not touched before they are written, so that it costs
/// neither time nor memory.
class Bytes {
  public:
    using value_type = std::uint8_t;

    explicit Bytes(Memory memory) : memory_(memory) {}
    ~Bytes() { release(); }
    Bytes(Bytes&& other) noexcept
        : memory_(other.memory_),
          begin_(std::exchange(other.begin_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    /// With the memory that they are in.
    Bytes& operator=(Bytes&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(begin_, other.begin_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    Memory memory() const { return memory_; }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    const std::uint8_t* data() const { return begin_; }
    std::uint8_t* data() { return begin_; }
    /// Behind the bytes, where there is room up to `capacity`.
    std::uint8_t* end() { return begin_ + size_; }

    void reserve(std::size_t capacity) {
        if (capacity <= capacity_) return;
        begin_ = memory_ == heap() ? static_cast<std::uint8_t*>(growOnHeap(begin_, capacity_, capacity))
                                   : moved(capacity);
        capacity_ = capacity;
    }
    /// What is new may be anything.
    void resize(std::size_t size) {
        reserve(size);
        size_ = size;
    }

  private:
    std::uint8_t* moved(std::size_t capacity) {
        auto* there = static_cast<std::uint8_t*>(memory_->allocate(capacity, 1));
        if (size_ != 0) std::memcpy(there, begin_, size_);
        release();
        return there;
    }
    void release() {
        if (begin_ != nullptr) memory_->deallocate(begin_, capacity_, 1);
    }

    Memory memory_;
    std::uint8_t* begin_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace holos::analyzer
