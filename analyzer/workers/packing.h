// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace holos::analyzer::workers {

/// Puts values behind each other into a message for another rank, which is the same program on the same kind
/// of machine: values travel as they lie in memory. `Unpacker` has the same functions, so that one function
/// template describes both directions.
class Packer {
  public:
    template <class Value>
    void value(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        append(&value, sizeof value);
    }
    /// A list of such values, or a text.
    template <class List>
    void list(const List& list) {
        static_assert(std::is_trivially_copyable_v<typename List::value_type>);
        value(std::uint64_t{list.size()});
        append(list.data(), list.size() * sizeof(typename List::value_type));
    }
    /// A list whose elements are described by `each`.
    template <class List, class Each>
    void list(List& list, Each each) {
        value(std::uint64_t{list.size()});
        for (auto& element : list) each(element);
    }

    std::string take() { return std::move(message_); }

  private:
    void append(const void* begin, std::size_t bytes) {
        message_.append(static_cast<const char*>(begin), bytes);
    }
    std::string message_;
};

/// Takes the values out again, in the same order.
class Unpacker {
  public:
    explicit Unpacker(std::string message) : message_(std::move(message)) {}

    template <class Value>
    void value(Value& value) {
        take(&value, sizeof value);
    }
    template <class List>
    void list(List& list) {
        list.resize(size());
        take(list.data(), list.size() * sizeof(typename List::value_type));
    }
    template <class List, class Each>
    void list(List& list, Each each) {
        list.resize(size());
        for (auto& element : list) each(element);
    }

  private:
    std::size_t size() {
        std::uint64_t size = 0;
        value(size);
        return size;
    }
    void take(void* to, std::size_t bytes) {
        if (bytes != 0) std::memcpy(to, message_.data() + next_, bytes);
        next_ += bytes;
    }
    std::string message_;
    std::size_t next_ = 0;
};

}  // namespace holos::analyzer::workers
