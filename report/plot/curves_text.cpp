// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot/curves.h"
#include "report/plot/plot.h"

namespace holos::plot {

namespace {

constexpr std::size_t kWidth = 64, kHeight = 16, kMargin = 9;

class Canvas {
  public:
    explicit Canvas(const Curves& curves)
        : across_(acrossOf(curves)), up_(upOf(curves)), rows_(kHeight, std::string(kWidth, ' ')) {}

    void put(const PlacedValue& point, char letter) {
        if (!(point.x > 0) || !up_.holds(point.y)) return;
        const double x = across_.placeOf(point.x) * (kWidth - 1);
        const double y = up_.placeOf(point.y) * (kHeight - 1);
        rows_[kHeight - 1 - static_cast<std::size_t>(std::lround(std::clamp(y, 0.0, kHeight - 1.0)))]
             [static_cast<std::size_t>(std::lround(std::clamp(x, 0.0, kWidth - 1.0)))] = letter;
    }

    std::string text() const {
        std::string text;
        for (std::size_t row = 0; row < kHeight; ++row)
            text += fmt::format("{:>{}} |{}\n", markOf(row), kMargin, withoutBlanksBehind(rows_[row]));
        text += std::string(kMargin + 1, ' ') + '+' + std::string(kWidth, '-') + '\n';
        const std::string from = fmt::format("{:.6g}", across_.low), to = fmt::format("{:.6g}", across_.high);
        return text + fmt::format("{:{}}{}{:>{}}\n", "", kMargin + 2, from, to, kWidth - from.size());
    }

  private:
    static std::string withoutBlanksBehind(const std::string& row) {
        return row.substr(0, row.find_last_not_of(' ') + 1);
    }
    /// At the row that is next to a power of ten.
    std::string markOf(std::size_t row) const {
        const auto rowOf = [&](double value) {
            return kHeight - 1 - static_cast<std::size_t>(std::lround(up_.placeOf(value) * (kHeight - 1)));
        };
        for (double power = up_.low; power <= up_.high * (1 + 1e-9); power *= 10)
            if (rowOf(power) == row) return shortNumber(power);
        return {};
    }

    LogarithmicAxis across_;
    LogarithmicAxis up_;
    std::vector<std::string> rows_;
};

}  // namespace

std::string textOf(const Curves& curves) {
    if (upOf(curves).isEmpty) return {};
    Canvas canvas(curves);
    constexpr std::size_t kLetters = 26;
    const std::size_t count = std::min(curves.curves.size(), kLetters);
    for (std::size_t i = 0; i < count; ++i)
        for (const PlacedValue& point : curves.curves[i].law) canvas.put(point, static_cast<char>('a' + i));
    for (std::size_t i = 0; i < count; ++i)
        for (const PlacedValue& point : curves.curves[i].measured)
            canvas.put(point, static_cast<char>('A' + i));
    std::string text = curves.title + "; up: " + curves.up + ", across: " + curves.across + '\n';
    text += canvas.text();
    for (std::size_t i = 0; i < count; ++i)
        text += fmt::format("{:>{}} {}\n", static_cast<char>('A' + i), kMargin, curves.curves[i].name);
    return text;
}

}  // namespace holos::plot
