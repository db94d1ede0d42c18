// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/communication.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "gui/models/csv.h"

namespace holos::gui {

using namespace algebra;

namespace {

struct QuantityText {
    double Traffic::*value;
    const char16_t* title;
};
/// In the order of `TrafficQuantity`.
constexpr QuantityText kQuantities[] = {
    {&Traffic::bytes, u"Bytes of messages"},
    {&Traffic::messages, u"Messages"},
    {&Traffic::lateSender, u"Receivers wait for senders"},
    {&Traffic::lateReceiver, u"Senders wait for receivers"},
    {&Traffic::put, u"Bytes put into windows"},
    {&Traffic::got, u"Bytes got from windows"},
};
static_assert(std::size(kQuantities) == static_cast<std::size_t>(TrafficQuantity::Got) + 1);

double valueOf(const Traffic& traffic, TrafficQuantity quantity) {
    return traffic.*kQuantities[static_cast<std::size_t>(quantity)].value;
}

QuantityFormat formatOf(TrafficQuantity quantity, double largest, Digits digits) {
    if (quantity == TrafficQuantity::Messages)
        return QuantityFormat::absolute(u"messages"_qs, largest, true, digits);
    const bool waits = quantity == TrafficQuantity::LateSender || quantity == TrafficQuantity::LateReceiver;
    return QuantityFormat::absolute(waits ? u"sec"_qs : u"bytes"_qs, largest, !waits, digits);
}

}  // namespace

QString titleOf(TrafficQuantity quantity) {
    return QString::fromUtf16(kQuantities[static_cast<std::size_t>(quantity)].title);
}

CommunicationMatrix::CommunicationMatrix(const Experiment& experiment) : experiment_(experiment) {}

const std::vector<Traffic>& CommunicationMatrix::traffic() const {
    if (!traffic_) traffic_ = communicationOf(experiment_);
    return *traffic_;
}

bool CommunicationMatrix::knows(TrafficQuantity quantity) const {
    return std::ranges::none_of(
        traffic(), [quantity](const Traffic& pair) { return std::isnan(valueOf(pair, quantity)); });
}

TrafficQuantity CommunicationMatrix::firstQuantity() const {
    for (const TrafficQuantity quantity : kTrafficQuantities)
        if (knows(quantity) && std::ranges::any_of(traffic(), [quantity](const Traffic& pair) {
                return valueOf(pair, quantity) != 0.0;
            }))
            return quantity;
    return TrafficQuantity::Bytes;
}

void CommunicationMatrix::update(TrafficQuantity quantity, int cells) {
    quantity_ = quantity;
    const auto processes = static_cast<int>(isEmpty() ? 0 : experiment_.system.processes.size());
    processesPerCell_ = std::max(1, (processes + std::max(cells, 1) - 1) / std::max(cells, 1));
    size_ = (processes + processesPerCell_ - 1) / processesPerCell_;
    values_.assign(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_), 0.0);
    total_ = largest_ = 0.0;
    signed_ = false;
    for (const Traffic& pair : traffic()) {
        const double value = valueOf(pair, quantity);
        if (std::isnan(value)) continue;
        values_[placeOf(cellOf(pair.sender), cellOf(pair.receiver))] += value;
        total_ += value;
    }
    for (const double value : values_) {
        largest_ = std::max(largest_, std::abs(value));
        signed_ = signed_ || value < 0.0;
    }
    format_ = formatOf(quantity, largest_, digits_);
}

void CommunicationMatrix::setDigits(Digits digits) {
    digits_ = digits;
    format_ = formatOf(quantity_, largest_, digits_);
}

QString CommunicationMatrix::textOf(double value) const {
    return quantity_ == TrafficQuantity::Messages && value == 1.0 ? u"1 message"_qs : format_.text(value);
}

double CommunicationMatrix::share(int sender, int receiver) const {
    return largest_ > 0.0 ? at(sender, receiver) / largest_ : 0.0;
}

ProcessId CommunicationMatrix::firstOf(int cell) const {
    return ProcessId(static_cast<std::size_t>(cell) * static_cast<std::size_t>(processesPerCell_));
}

QString CommunicationMatrix::labelOf(int cell) const {
    return QString::number(experiment_.system[firstOf(cell)].rank);
}

QString CommunicationMatrix::namesOf(int cell) const {
    const auto& processes = experiment_.system.processes;
    const std::size_t first = firstOf(cell).index();
    const std::size_t last =
        std::min(first + static_cast<std::size_t>(processesPerCell_), processes.size()) - 1;
    const QString name = QString::fromStdString(processes[first].name);
    return first == last ? name : name + u" … "_qs + QString::fromStdString(processes[last].name);
}

QString CommunicationMatrix::asCsv() const {
    QString text = u"sender,receiver"_qs;
    for (const TrafficNumber& column : kTrafficNumbers) text += u',' + QString::fromLatin1(column.name);
    text += u'\n';
    for (const Traffic& pair : traffic()) {
        QStringList fields;
        for (const ProcessId process : {pair.sender, pair.receiver})
            fields << csvText(QString::fromStdString(experiment_.system[process].name));
        for (const TrafficNumber& column : kTrafficNumbers) fields << csvNumber(pair.*column.number);
        text += fields.join(u',') + u'\n';
    }
    return text;
}

}  // namespace holos::gui
