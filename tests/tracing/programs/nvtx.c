/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that says what it does by NVTX 3, with a part of the interface's layout of its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#include "tool_library.h"

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved;
    union {
        int64_t integer;
        double real;
    } payload;
    int32_t messageType;
    const void* message;
};
enum { TEXT = 1, REGISTERED = 3, SIGNED = 2, REAL = 3 };

typedef void (*function)(void);
static function core[16], core2[16];
static function* coreTable[17];
static function* core2Table[17];

static int tableOf(int module, function*** table, unsigned* size) {
    if (module != 1 && module != 5) return 0;
    *table = module == 1 ? coreTable : core2Table;
    *size = 16;
    return 1;
}
static const struct {
    size_t size;
    int (*tableOf)(int, function***, unsigned*);
} callbacks = {sizeof callbacks, tableOf};
static const void* exported(uint32_t table) {
    return table == 1 ? &callbacks : NULL;
}

static void markText(const char* text) {
    if (core[2] != NULL) ((void (*)(const char*))core[2])(text);
}
static uint64_t start(const char* text) {
    return core[5] != NULL ? ((uint64_t(*)(const char*))core[5])(text) : 0;
}
static void endRange(uint64_t range) {
    if (core[7] != NULL) ((void (*)(uint64_t))core[7])(range);
}
static int push(const char* text) {
    return core[9] != NULL ? ((int (*)(const char*))core[9])(text) : -2;
}
static int pushWide(const wchar_t* text) {
    return core[10] != NULL ? ((int (*)(const wchar_t*))core[10])(text) : -2;
}
static int pop(void) {
    return core[11] != NULL ? ((int (*)(void))core[11])() : -2;
}
static int pushIn(void* domain, const struct attributes* what) {
    return core2[4] != NULL ? ((int (*)(void*, const struct attributes*))core2[4])(domain, what) : -2;
}
static int popIn(void* domain) {
    return core2[5] != NULL ? ((int (*)(void*))core2[5])(domain) : -2;
}
static void* registerIn(void* domain, const char* text) {
    return core2[10] != NULL ? ((void* (*)(void*, const char*))core2[10])(domain, text) : NULL;
}
static void* createDomain(const char* text) {
    return core2[12] != NULL ? ((void* (*)(const char*))core2[12])(text) : NULL;
}

static struct attributes called(const char* text) {
    struct attributes what;
    memset(&what, 0, sizeof what);
    what.version = 3;
    what.size = sizeof what;
    what.messageType = TEXT;
    what.message = text;
    return what;
}

static void attach(void) {
    void* const found = toolFunction("NVTX_INJECTION64_PATH", "InitializeInjectionNvtx2");
    for (int i = 1; i < 16; ++i) {
        coreTable[i] = &core[i];
        core2Table[i] = &core2[i];
    }
    if (found != NULL) ((int (*)(const void* (*)(uint32_t)))found)(exported);
}

static void* inThread(void* range) {
    if (core[14] != NULL) ((void (*)(uint32_t, const char*))core[14])((uint32_t)gettid(), "loader");
    push("of the thread");
    endRange(*(uint64_t*)range);
    pop();
    pop(); /* one too many */
    push("never ended");
    return NULL;
}

int main(void) {
    pthread_t thread;
    attach();
    const int isHeard = core[9] != NULL;
    const int outer = push("outer");
    struct attributes inner = called("inner");
    inner.payloadType = SIGNED;
    inner.payload.integer = -7;
    void* const domain = createDomain("library");
    pushIn(domain, &inner);
    void* const text = registerIn(domain, "registered");
    struct attributes other = called(NULL);
    other.messageType = REGISTERED;
    other.message = text;
    other.payloadType = REAL;
    other.payload.real = 1.5;
    if (text != NULL) {
        pushIn(domain, &other);
        popIn(domain);
    }
    popIn(domain);
    markText("mark");
    const int wide = pushWide(L"weiß");
    const int after = pop();
    if (isHeard && (outer != 0 || wide != 1 || after != 1)) return 2;
    pop();
    push("plain"); /* ends before what began in it */
    inner.payloadType = 0;
    pushIn(domain, &inner);
    pop();
    popIn(domain);
    pop(); /* none is open */
    uint64_t range = start("across threads");
    pthread_create(&thread, NULL, inThread, &range);
    pthread_join(thread, NULL);
    const pid_t child = fork();
    if (child == 0) {
        push("in a child");
        pop();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}
