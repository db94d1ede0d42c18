/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with LIKWID's markers, expanded. */
extern int calls;
int likwid_markerStartRegion(const char* tag);
int likwid_markerStopRegion(const char* tag);

int main(void) {
    if (likwid_markerStartRegion("one") != 1) return 1;
    likwid_markerStartRegion("two");
    likwid_markerStopRegion("one"); /* before what began in it */
    likwid_markerStopRegion("two");
    likwid_markerStopRegion("three");
    return calls == 5 ? 0 : 2;
}
