// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace holos {

/// Puts values behind each other into a message for another process, which is the same program on the same
/// kind of machine: values travel as they lie in memory. `Unpacker` has the same functions, so that one
/// function template describes both directions.
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
    /// Values by others.
    template <class Key, class Value>
    void map(const std::map<Key, Value>& map) {
        value(std::uint64_t{map.size()});
        for (const auto& [key, one] : map) {
            value(key);
            value(one);
        }
    }
    /// What may be missing, described by `each`.
    template <class Value, class Each>
    void optional(std::optional<Value>& optional, Each each) {
        value(static_cast<std::uint8_t>(optional.has_value()));
        if (optional) each(*optional);
    }

    std::string take() { return std::move(message_); }

  private:
    void append(const void* begin, std::size_t bytes) {
        message_.append(static_cast<const char*>(begin), bytes);
    }
    std::string message_;
};

/// Takes the values out again, in the same order. Throws `Error` where the message is too short for them.
class Unpacker {
  public:
    explicit Unpacker(std::string message) : message_(std::move(message)) {}

    template <class Value>
    void value(Value& value) {
        take(&value, sizeof value);
    }
    template <class List>
    void list(List& list) {
        constexpr std::size_t kBytes = sizeof(typename List::value_type);
        list.resize(size(kBytes));
        take(list.data(), list.size() * kBytes);
    }
    template <class List, class Each>
    void list(List& list, Each each) {
        list.resize(size(1));
        for (auto& element : list) each(element);
    }
    template <class Key, class Value>
    void map(std::map<Key, Value>& map) {
        for (std::size_t left = size(sizeof(Key) + sizeof(Value)); left > 0; --left) {
            Key key{};
            value(key);
            value(map[key]);
        }
    }
    template <class Value, class Each>
    void optional(std::optional<Value>& optional, Each each) {
        std::uint8_t isThere = 0;
        value(isThere);
        optional.reset();
        if (isThere != 0) each(optional.emplace());
    }

  private:
    /// Of a list with at least so many bytes for each element.
    std::size_t size(std::size_t bytesOfOne) {
        std::uint64_t size = 0;
        value(size);
        if (size > (message_.size() - next_) / bytesOfOne) fail();
        return size;
    }
    void take(void* to, std::size_t bytes) {
        if (bytes > message_.size() - next_) fail();
        if (bytes != 0) std::memcpy(to, message_.data() + next_, bytes);
        next_ += bytes;
    }
    [[noreturn]] static void fail() { throw Error("a message of another process is cut off"); }

    std::string message_;
    std::size_t next_ = 0;
};

}  // namespace holos
