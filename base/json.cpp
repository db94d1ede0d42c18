// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"

#include "base/error.h"

namespace holos {
namespace {

using nlohmann::json;

/// Looks through a text without keeping anything of it.
class Bounds final : public json::json_sax_t {
  public:
    explicit Bounds(const JsonLimits& limits) : limits_(limits) {}

    const std::string& problem() const { return problem_; }

    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t&) override { return count(); }
    bool string(string_t&) override { return count(); }
    bool binary(binary_t&) override { return count(); }
    bool key(string_t&) override { return true; }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t byte, const std::string&, const json::exception&) override {
        problem_ = "is no JSON from byte " + std::to_string(byte) + " on";
        return false;
    }

  private:
    bool count() {
        if (++values_ > limits_.values)
            problem_ = "has more than " + std::to_string(limits_.values) + " values";
        return problem_.empty();
    }
    bool enter() {
        if (++depth_ > limits_.depth)
            problem_ = "is nested deeper than " + std::to_string(limits_.depth) + " levels";
        return count() && problem_.empty();
    }
    bool leave() {
        --depth_;
        return true;
    }

    const JsonLimits& limits_;
    std::size_t depth_ = 0;
    std::size_t values_ = 0;
    std::string problem_;
};

}  // namespace

void requireBoundedJson(std::string_view text, const JsonLimits& limits, const std::string& file) {
    const Place place{.file = file};
    if (text.size() > limits.bytes)
        throw Error("has more than " + std::to_string(limits.bytes) + " bytes", place);
    Bounds bounds(limits);
    if (!json::sax_parse(text, &bounds)) throw Error(bounds.problem(), place);
}

json readObject(const std::filesystem::path& file) {
    try {
        json object = readJson(file);
        return object.is_object() ? object : json::object();
    } catch (const Error&) {
        return json::object();
    }
}

}  // namespace holos
