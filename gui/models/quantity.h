// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

namespace holos::gui {

/// What is shown for a value that is undefined or that no sum can give.
inline constexpr QChar kUndefined(0x2013);
/// What is shown for a value that is still being read.
inline constexpr QChar kPending(0x2026);
/// Between groups of three digits, and between a prefix and a unit that is a word.
inline constexpr QChar kThinSpace(0x2009);

/// With how many digits the largest value of a pane is written; nothing: as many as suit, which are five, of
/// ratios four, and all of those that whole numbers have.
using Digits = std::optional<int>;
inline constexpr int kFewestDigits = 2;
inline constexpr int kMostDigits = 12;
inline constexpr int kUsualDigits = 5;

/// How the values of one hierarchy or pane are written: one prefix and one number of decimals for all of
/// them, so that the eye compares digits and not units.
class QuantityFormat {
  public:
    /// For values of up to `largest` in magnitude, in the experiment's unit (`sec`, `bytes`, `occ`, …).
    /// `integral` values stay whole numbers while they fit.
    static QuantityFormat absolute(const QString& unit, double largest, bool integral, Digits digits = {});
    /// For fractions of 1, written as percent with two decimals, or so many that 100 percent has these
    /// digits; with more where even the largest of them would have fewer than three digits.
    static QuantityFormat percent(Digits digits = {}, double largest = 1.0);
    /// For quotients: four digits each, no prefix.
    static QuantityFormat ratio(const QString& unit, Digits digits = {});

    /// The number alone. NaN is the undefined sign; a value too small for the decimals says so ("< 0.01").
    QString number(double value) const;
    const QString& unit() const { return unit_; }
    /// The number with its unit, which nothing and what is undefined do not have.
    QString text(double value) const;
    /// The number where it may not have room, from the longest way to write it to the shortest: as `number`
    /// does, then with fewer decimals, then with fewer and fewer digits and a power of ten (`6.88e9`).
    QStringList notations(double value) const;
    /// Notations with the unit, which a count leaves out before it loses digits.
    QStringList texts(double value) const;

  private:
    QString unit_;
    double factor_ = 1.0;
    int decimals_ = 0;
    int significant_ = 0;  ///< digits of every number; 0: all have the same decimals
    int digits_ = kUsualDigits;
};

/// How values are written: as they are, or as a part of something.
struct Writing {
    QuantityFormat format;  ///< of the value as it is written
    double whole = 1.0;     ///< what it is divided by
    double origin = 0.0;    ///< what is taken from it before

    /// NaN or infinite where there is nothing to relate the value to.
    double part(double value) const { return (value - origin) / whole; }
    QString number(double value) const;
    /// With the unit.
    QString text(double value) const;
    QStringList notations(double value) const;
    QStringList texts(double value) const;
};

/// A value that stands alone, with so many digits at most and a prefix of its own: `1.2 GB/s`.
QString quantity(double value, const QString& unit, int digits);
/// A value with `digits` at most, in the experiment's own unit: `0.000268401 sec`. Whole numbers keep all of
/// theirs.
QString exactQuantity(double value, const QString& unit, int digits = 10);
/// `1 process`, `2 processes`: a number with the word that belongs to it.
QString counted(std::uint64_t number, const QString& one, const QString& several);
/// `12.34 %`, or the undefined sign when there is nothing to relate the value to.
QString percentage(double fraction, Digits digits = {});

/// A moment of the run, with all digits that clocks tell apart: `1.234567 s`.
inline QString momentText(double seconds) {
    return QString::number(seconds, 'f', 6) + u" s"_qs;
}

/// How long something took, with a prefix of its own: `12.3 ms`.
inline QString durationText(double seconds, Digits digits = {}) {
    return QuantityFormat::absolute(u"sec"_qs, seconds, false, digits).text(seconds);
}

}  // namespace holos::gui
