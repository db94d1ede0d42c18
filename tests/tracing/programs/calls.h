/* SPDX-License-Identifier: BSD-3-Clause */
/* A program writes the name of each function that it calls into a file. */
#pragma once
#include <stdio.h>

static FILE* calls;
#define CALL(function, ...) (fprintf(calls, "%s\n", #function), function(__VA_ARGS__))

static void beginCalls(const char* file) {
    calls = fopen(file, "w");
}
