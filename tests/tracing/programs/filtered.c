/* SPDX-License-Identifier: BSD-3-Clause */
/* Enters regions of which a filter leaves out one, and says how often that is defined. */
#include <holos/holos.h>
#include <stdio.h>

static const holos_interface* recorder;
static int definitions = 0;

static holos_region countDefinition(const char* name, const char* file, unsigned line) {
    ++definitions;
    return recorder->define(name, file, line);
}

/* As programs do that were compiled with this header before it knew of regions that are left out. */
static void visit(holos_region* region, const char* name) {
    if (*region == 0) *region = countDefinition(name, __FILE__, __LINE__);
    recorder->enter(*region);
    recorder->leave(*region);
}

int main(void) {
    holos_region kept = 0;
    holos_region hidden = 0;
    recorder = holos_find();
    if (recorder == NULL) return 1;
    for (int i = 0; i < 3; ++i) {
        visit(&kept, "kept");
        visit(&hidden, "hidden");
    }
    return definitions == 2 && hidden == HOLOS_LEFT_OUT ? 0 : 2;
}
