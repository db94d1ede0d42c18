/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls nested deeper than the recorder remembers: with main, 301 of them. */
static int descend(int levels) {
    return levels == 0 ? 0 : 1 + descend(levels - 1);
}

static int behind(void) {
    return 299;
}

int main(void) {
    return descend(299) == behind() ? 0 : 1;
}
