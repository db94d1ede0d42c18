// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/quantity.h"

#include <QHash>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace holos::gui {

namespace {

constexpr QChar kMinus(0x2212);
constexpr double kWholeNumbersUpTo = 1e7;
constexpr int kRatioDigits = 4;
constexpr int kDigitsOfHundred = 3;
constexpr double kSmallFraction = 0.01;  ///< what is smaller has more decimals
constexpr int kMoreDecimals = 4;
constexpr double kTwoDigits = 10.0;  ///< numbers up from here have them

struct Prefix {
    double value;
    const char* symbol;
};
constexpr std::array kPrefixes{Prefix{1e12, "T"}, Prefix{1e9, "G"},  Prefix{1e6, "M"},  Prefix{1e3, "k"},
                               Prefix{1.0, ""},   Prefix{1e-3, "m"}, Prefix{1e-6, "µ"}, Prefix{1e-9, "n"}};

/// Ordered from large to small; seconds are not written in kiloseconds, nor counts in fractions.
Prefix prefixFor(double largest, bool seconds) {
    for (const Prefix& prefix : kPrefixes) {
        if (seconds && prefix.value > 1.0) continue;
        if (!seconds && prefix.value < 1.0) break;
        if (largest >= prefix.value) return prefix;
    }
    return Prefix{1.0, ""};
}

QString withGroups(QString digits) {
    const auto point = digits.indexOf(u'.');
    for (auto at = (point < 0 ? digits.size() : point) - 3; at > 0; at -= 3) digits.insert(at, kThinSpace);
    return digits;
}

QString signedText(double value, const QString& magnitude) {
    return std::signbit(value) ? kMinus + magnitude : magnitude;
}

/// Trailing zeros are kept, so that the digits of neighbours stand below each other.
QString significantDigits(double magnitude, int digits) {
    const int before = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    if (before < -2 || before > 6) return QString::number(magnitude, 'e', digits - 1);
    return QString::number(magnitude, 'f', std::max(0, digits - std::max(before, 1)));
}

/// `6.88e9`: no longer than it has to be.
QString powerOfTen(double magnitude, int digits) {
    const QString text = QString::number(magnitude, 'e', digits - 1);
    const int exponent = text.section(u'e', 1).toInt();
    return text.section(u'e', 0, 0) + u'e' + (exponent < 0 ? QString(kMinus) : QString()) +
           QString::number(std::abs(exponent));
}

/// What a unit is written as, with a prefix of our own: nanoseconds as seconds, kilobytes as bytes.
struct BaseUnit {
    QString symbol;
    double scale;  ///< of the unit in this one
    bool isAbbreviation;
};

bool isTime(const BaseUnit& unit) {
    return unit.isAbbreviation && unit.symbol == u"s";
}

BaseUnit baseOf(const QString& unit) {
    constexpr double kKibi = 1024.0;
    static const QHash<QString, BaseUnit> kKnown{
        {u"sec"_qs, {u"s"_qs, 1.0, true}},
        {u"s"_qs, {u"s"_qs, 1.0, true}},
        {u"msec"_qs, {u"s"_qs, 1e-3, true}},
        {u"ms"_qs, {u"s"_qs, 1e-3, true}},
        {u"usec"_qs, {u"s"_qs, 1e-6, true}},
        {u"us"_qs, {u"s"_qs, 1e-6, true}},
        {u"µs"_qs, {u"s"_qs, 1e-6, true}},
        {u"nsec"_qs, {u"s"_qs, 1e-9, true}},
        {u"ns"_qs, {u"s"_qs, 1e-9, true}},
        {u"bytes"_qs, {u"B"_qs, 1.0, true}},
        {u"byte"_qs, {u"B"_qs, 1.0, true}},
        {u"B"_qs, {u"B"_qs, 1.0, true}},
        {u"kB"_qs, {u"B"_qs, 1e3, true}},
        {u"KB"_qs, {u"B"_qs, 1e3, true}},
        {u"MB"_qs, {u"B"_qs, 1e6, true}},
        {u"GB"_qs, {u"B"_qs, 1e9, true}},
        {u"KiB"_qs, {u"B"_qs, kKibi, true}},
        {u"MiB"_qs, {u"B"_qs, kKibi * kKibi, true}},
        {u"GiB"_qs, {u"B"_qs, kKibi * kKibi * kKibi, true}},
    };
    const auto known = kKnown.constFind(unit);
    if (known != kKnown.constEnd()) return *known;
    constexpr QStringView kPerSecond = u"/s";
    const QString counted = unit.chopped(std::min(unit.size(), kPerSecond.size()));
    if (counted.isEmpty() || !unit.endsWith(kPerSecond)) return {unit, 1.0, false};
    BaseUnit base = baseOf(counted);
    base.symbol += kPerSecond;
    return base;
}

}  // namespace

QuantityFormat QuantityFormat::absolute(const QString& unit, double largest, bool integral, Digits digits) {
    QuantityFormat format;
    format.digits_ = digits.value_or(kUsualDigits);
    const BaseUnit base = baseOf(unit);
    if (!std::isfinite(largest)) largest = 0.0;
    largest *= base.scale;
    const bool isWhole = integral && !isTime(base) && base.scale == 1.0;
    if (isWhole && largest < (digits ? std::pow(10.0, *digits) : kWholeNumbersUpTo)) {
        format.unit_ = base.symbol;
        return format;
    }
    const Prefix prefix = prefixFor(largest, isTime(base));
    format.factor_ = base.scale / prefix.value;
    const double shown = largest / prefix.value;
    const int before = shown < 1.0 ? 1 : static_cast<int>(std::log10(shown)) + 1;
    format.decimals_ = std::max(0, digits.value_or(kUsualDigits) - before);
    const bool joined = base.isAbbreviation || *prefix.symbol == '\0' || base.symbol.isEmpty();
    format.unit_ = QString::fromUtf8(prefix.symbol) + (joined ? base.symbol : kThinSpace + base.symbol);
    return format;
}

QuantityFormat QuantityFormat::percent(Digits digits, double largest) {
    QuantityFormat format;
    format.factor_ = 100.0;
    format.digits_ = digits.value_or(kUsualDigits);
    format.decimals_ = std::max(0, digits.value_or(kUsualDigits) - kDigitsOfHundred);
    if (largest > 0.0 && largest < kSmallFraction)
        format.decimals_ +=
            std::min(kMoreDecimals, static_cast<int>(std::ceil(std::log10(kSmallFraction / largest) - 1e-9)));
    format.unit_ = u"%"_qs;
    return format;
}

QuantityFormat QuantityFormat::ratio(const QString& unit, Digits digits) {
    QuantityFormat format;
    format.significant_ = format.digits_ = digits.value_or(kRatioDigits);
    format.unit_ = unit;
    return format;
}

QString QuantityFormat::number(double value) const {
    if (std::isnan(value)) return kUndefined;
    if (value == 0.0) return u"0"_qs;
    const double magnitude = std::abs(value) * factor_;
    if (!std::isfinite(magnitude)) return signedText(value, QChar(0x221E));
    if (significant_ > 0) return signedText(value, significantDigits(magnitude, significant_));
    const double smallest = std::pow(10.0, -decimals_);
    if (magnitude < 0.5 * smallest)
        return (value < 0 ? u"> \u2212"_qs : u"< "_qs) + QString::number(smallest, 'f', decimals_);
    return signedText(value, withGroups(QString::number(magnitude, 'f', decimals_)));
}

QString QuantityFormat::text(double value) const {
    const bool bare = unit_.isEmpty() || value == 0.0 || std::isnan(value);
    return bare ? number(value) : number(value) + u' ' + unit_;
}

QStringList QuantityFormat::notations(double value) const {
    QStringList all{number(value)};
    const double magnitude = std::abs(value) * factor_;
    if (!std::isfinite(magnitude) || magnitude == 0.0) return all;
    const auto add = [&all, value](const QString& shorter) {
        if (const QString next = signedText(value, shorter); next.size() < all.back().size()) all << next;
    };
    for (int decimals = decimals_ - 1; decimals >= 0 && magnitude * std::pow(10.0, decimals) >= kTwoDigits;
         --decimals)
        add(withGroups(QString::number(magnitude, 'f', decimals)));
    for (int digits = digits_; digits > 0; --digits) add(powerOfTen(magnitude, digits));
    return all;
}

QStringList QuantityFormat::texts(double value) const {
    QStringList all = notations(value);
    if (text(value) == all.front()) return all;  // without a unit
    const QString alone = all.front();
    for (QString& number : all) number += u' ' + unit_;
    const bool isCount = factor_ == 1.0 && decimals_ == 0 && significant_ == 0;
    if (isCount) all.insert(1, alone);  // rather without the unit than without digits
    return all;
}

QStringList Writing::notations(double value) const {
    const double shown = part(value);
    return number(value) == format.number(shown) ? format.notations(shown) : QStringList{number(value)};
}

QStringList Writing::texts(double value) const {
    const double shown = part(value);
    return text(value) == format.text(shown) ? format.texts(shown) : QStringList{text(value)};
}

QString Writing::number(double value) const {
    if (value == origin && !std::isnan(whole)) return format.number(0.0);
    return whole == 0.0 ? QString(kUndefined) : format.number(part(value));
}

QString Writing::text(double value) const {
    const bool bare = value == origin || whole == 0.0 || std::isnan(part(value));
    return bare ? number(value) : format.text(part(value));
}

QString quantity(double value, const QString& unit, int digits) {
    const auto format = QuantityFormat::absolute(unit, std::abs(value), false, digits);
    QString number = format.number(value);
    if (number.contains(u'.')) {
        while (number.endsWith(u'0')) number.chop(1);
        if (number.endsWith(u'.')) number.chop(1);
    }
    return std::isnan(value) || format.unit().isEmpty() ? number : number + u' ' + format.unit();
}

QString exactQuantity(double value, const QString& unit, int digits) {
    if (std::isnan(value)) return kUndefined;
    const double magnitude = std::abs(value);
    const bool whole =
        magnitude < 1e15 && (value == std::floor(value) || magnitude >= std::pow(10.0, digits));
    const QString text =
        whole ? withGroups(QString::number(magnitude, 'f', 0)) : QString::number(magnitude, 'g', digits);
    const QString number = value == 0.0 ? u"0"_qs : signedText(value, text);
    return unit.isEmpty() ? number : number + u' ' + unit;
}

QString counted(std::uint64_t number, const QString& one, const QString& several) {
    return withGroups(QString::number(number)) + u' ' + (number == 1 ? one : several);
}

QString percentage(double fraction, Digits digits) {
    return std::isfinite(fraction) ? QuantityFormat::percent(digits).text(fraction) : QString(kUndefined);
}

}  // namespace holos::gui
