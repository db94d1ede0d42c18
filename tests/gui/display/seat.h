// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractNativeEventFilter>
#include <QPoint>
#include <QString>
#include <Qt>
#include <map>

class QWidget;
struct xcb_connection_t;

namespace holos::gui::testing {

/// Mouse and keyboard of a virtual display: events take the way of real ones, through the server and the
/// window manager. Each call returns when the application has got its events.
class Seat : public QAbstractNativeEventFilter {
  public:
    Seat();
    ~Seat() override;

    /// A place in a widget.
    void move(const QWidget* widget, QPoint place);
    void click(const QWidget* widget, QPoint place, Qt::KeyboardModifiers held = {});
    void drag(const QWidget* widget, QPoint from, QPoint to);
    /// Positive steps turn the wheel away from the person.
    void wheel(const QWidget* widget, QPoint place, int steps, Qt::KeyboardModifiers held = {});
    /// One key, named as on the keyboard (`Qt::Key_A`, `Qt::Key_Left`).
    void press(Qt::Key key, Qt::KeyboardModifiers held = {});
    /// Letters and digits, key by key.
    void type(const QString& text);
    /// Returns when all that the server has sent so far has arrived, nothing is left to be done, and what was
    /// painted is on the screen.
    void settle();

  protected:
    bool nativeEventFilter(const QByteArray& type, void* message, qintptr* result) override;

  private:
    struct Key {
        unsigned char code = 0;
        bool shifted = false;
    };
    enum Kind { Motion, Button, KeyStroke, Marker, kKinds };

    void readKeyboard();
    void fake(unsigned char type, unsigned char detail, QPoint place = {});
    void hold(Qt::KeyboardModifiers keys, bool down);
    void stroke(const Key& key);
    void button(unsigned char number);
    /// Until one more event of this kind has arrived than there were.
    void await(Kind kind, int before);
    void drain();

    xcb_connection_t* connection_;
    unsigned root_ = 0;
    std::map<unsigned, Key> keys_;  ///< by the X server's symbols
    QPoint place_{-1, -1};
    int arrived_[kKinds] = {};
};

}  // namespace holos::gui::testing
