# SPDX-License-Identifier: BSD-3-Clause
# Works in two functions, in one of them much more: samples_events_test.cpp knows the lines.
def heavy():
    total = 0
    for i in range(4000000):
        total += i * i
    return total


def light():
    return sorted(range(4000), key=lambda i: -i)


def main():
    heavy()
    light()


main()
