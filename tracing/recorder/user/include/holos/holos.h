/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOLOS_HOLOS_H
#define HOLOS_HOLOS_H

/// Marks regions of a C program that `holos record` shall show:
///
///     HOLOS_REGION_BEGIN(solver, "solver");
///     ...
///     HOLOS_REGION_END(solver);
///
/// Nothing has to be linked: the recorder is found at run time, and without it every call returns at once.
/// Regions of a thread must nest; one that is left by `longjmp` goes on until a region around it ends. All
/// functions may be called from any thread; none fails or sets errno.

#include <dlfcn.h>
#include <stddef.h>

/* What tells the recorder of regions is no function of the program, also where `holos cc` compiles it, and
 * without optimisation: the function that calls the recorder is the one that has the region. */
#define HOLOS_UNSEEN __attribute__((no_instrument_function, always_inline))
#define HOLOS_INLINE HOLOS_UNSEEN static inline

#ifdef __cplusplus
extern "C" {
#endif

/// A region's number in the recording; 0 while it is not known.
typedef unsigned int holos_region;

/// The number of all regions that a filter leaves out: known, and nothing is recorded of them.
#define HOLOS_LEFT_OUT ((holos_region)0xC0000000U)

/// A metric's or parameter's number in the recording; 0 while it is not known.
typedef unsigned int holos_metric;
typedef unsigned int holos_parameter;

/// What a metric's values are; to be combined with |.
enum holos_metric_kind {
    HOLOS_INTEGER = 0,
    HOLOS_REAL = 1,
    HOLOS_STATE = 0, /* such as the length of a queue */
    HOLOS_TOTAL = 2  /* grows from the program's begin, such as the number of particles moved so far */
};

/// What the recorder offers, in the version `HOLOS_INTERFACE_VERSION` of this struct; later versions add at
/// the end.
typedef struct holos_interface {
    /// Equal definitions get the same number; 0 when nothing is recorded, HOLOS_LEFT_OUT when this is not to
    /// be. Takes a lock: keep the result.
    holos_region (*define)(const char* name, const char* file, unsigned line);
    void (*enter)(holos_region region);
    void (*leave)(holos_region region);
    /* version 2 */
    holos_region (*define_phase)(const char* name, const char* file, unsigned line);
    void (*pause)(void);
    void (*resume)(void);
    holos_metric (*define_metric)(const char* name, const char* unit, int kind);
    void (*metric_integer)(holos_metric metric, long long value);
    void (*metric_real)(holos_metric metric, double value);
    holos_parameter (*define_parameter)(const char* name);
    void (*parameter)(holos_parameter parameter, long long value);
    /* version 3 */
    void (*compare_clocks)(void);
} holos_interface;

#define HOLOS_INTERFACE_VERSION 3

/// The recorder that runs this program, or null.
HOLOS_INLINE const holos_interface* holos_find(void) {
    static const holos_interface* found = NULL;
    static int searched = 0;
    if (!__atomic_load_n(&searched, __ATOMIC_ACQUIRE)) {
        const holos_interface* (*get)(unsigned) = NULL;
        *(void**)(&get) = dlsym(NULL, "holos_get_interface"); /* NULL is RTLD_DEFAULT */
        __atomic_store_n(&found, get != NULL ? get(HOLOS_INTERFACE_VERSION) : (const holos_interface*)NULL,
                         __ATOMIC_RELAXED);
        __atomic_store_n(&searched, 1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&found, __ATOMIC_RELAXED);
}

/// Enters the region, which is defined at the first call through `*region` (initially 0).
HOLOS_INLINE void holos_region_begin(holos_region* region, const char* name, const char* file,
                                     unsigned line) {
    const holos_interface* recorder = holos_find();
    holos_region number;
    if (recorder == NULL) return;
    number = __atomic_load_n(region, __ATOMIC_RELAXED);
    if (number == 0) {
        number = recorder->define(name, file, line);
        __atomic_store_n(region, number, __ATOMIC_RELAXED);
    }
    recorder->enter(number);
}

HOLOS_INLINE void holos_region_end(const holos_region* region) {
    const holos_interface* recorder = holos_find();
    if (recorder != NULL) recorder->leave(__atomic_load_n(region, __ATOMIC_RELAXED));
}

/// Begins a phase: a part of the run that the analysis shows by itself, such as an iteration.
HOLOS_INLINE void holos_phase_begin(holos_region* phase, const char* name, const char* file, unsigned line) {
    const holos_interface* recorder = holos_find();
    if (recorder == NULL) return;
    if (__atomic_load_n(phase, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(phase, recorder->define_phase(name, file, line), __ATOMIC_RELAXED);
    recorder->enter(__atomic_load_n(phase, __ATOMIC_RELAXED));
}

/// Records nothing of the calling thread from here to `holos_resume`. Both belong into the same region.
HOLOS_INLINE void holos_pause_thread(void) {
    const holos_interface* recorder = holos_find();
    if (recorder != NULL) recorder->pause();
}
HOLOS_INLINE void holos_resume_thread(void) {
    const holos_interface* recorder = holos_find();
    if (recorder != NULL) recorder->resume();
}

/// Measures how the clocks of all processes differ, once more than at MPI_Init and MPI_Finalize: for long
/// runs on several machines, whose clocks drift apart. Called by one thread of each process of
/// MPI_COMM_WORLD, in the same order with other collective operations. Takes half a second at most.
HOLOS_INLINE void holos_synchronize_clocks(void) {
    const holos_interface* recorder = holos_find();
    if (recorder != NULL) recorder->compare_clocks();
}

/// Records a value of a metric, which is defined at the first call through `*metric` (initially 0).
HOLOS_INLINE holos_metric holos_known_metric(holos_metric* metric, const char* name, const char* unit,
                                             int kind) {
    const holos_interface* recorder = holos_find();
    holos_metric number = __atomic_load_n(metric, __ATOMIC_RELAXED);
    if (recorder == NULL || number != 0) return number;
    number = recorder->define_metric(name, unit, kind);
    __atomic_store_n(metric, number, __ATOMIC_RELAXED);
    return number;
}
HOLOS_INLINE void holos_record_integer(holos_metric* metric, const char* name, const char* unit, int kind,
                                       long long value) {
    const holos_metric number = holos_known_metric(metric, name, unit, kind);
    if (number != 0) holos_find()->metric_integer(number, value);
}
HOLOS_INLINE void holos_record_real(holos_metric* metric, const char* name, const char* unit, int kind,
                                    double value) {
    const holos_metric number = holos_known_metric(metric, name, unit, kind | HOLOS_REAL);
    if (number != 0) holos_find()->metric_real(number, value);
}

/// Records a property of the region around it, such as the number of an iteration.
HOLOS_INLINE void holos_record_parameter(holos_parameter* parameter, const char* name, long long value) {
    const holos_interface* recorder = holos_find();
    if (recorder == NULL) return;
    if (__atomic_load_n(parameter, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(parameter, recorder->define_parameter(name), __ATOMIC_RELAXED);
    recorder->parameter(__atomic_load_n(parameter, __ATOMIC_RELAXED), value);
}

#ifdef __cplusplus
}
#endif

/// Begins the region `name` (a text); `handle` is a name for `HOLOS_REGION_END` in the same scope.
#define HOLOS_REGION_BEGIN(handle, name) \
    static holos_region handle = 0;      \
    holos_region_begin(&handle, name, __FILE__, __LINE__)
#define HOLOS_REGION_END(handle) holos_region_end(&handle)

/// Begins and ends a phase.
#define HOLOS_PHASE_BEGIN(handle, name) \
    static holos_region handle = 0;     \
    holos_phase_begin(&handle, name, __FILE__, __LINE__)
#define HOLOS_PHASE_END(handle) holos_region_end(&handle)

/// The calling thread's events are not recorded in between.
#define HOLOS_PAUSE() holos_pause_thread()
#define HOLOS_RESUME() holos_resume_thread()

/// A value of the metric `name` (texts; `kind`: HOLOS_STATE or HOLOS_TOTAL).
#define HOLOS_METRIC_INTEGER(name, unit, kind, value)                      \
    do {                                                                   \
        static holos_metric holos_metric_here = 0;                         \
        holos_record_integer(&holos_metric_here, name, unit, kind, value); \
    } while (0)
#define HOLOS_METRIC_REAL(name, unit, kind, value)                      \
    do {                                                                \
        static holos_metric holos_metric_here = 0;                      \
        holos_record_real(&holos_metric_here, name, unit, kind, value); \
    } while (0)

/// A whole number that says what the region around it works on.
#define HOLOS_PARAMETER(name, value)                                \
    do {                                                            \
        static holos_parameter holos_parameter_here = 0;            \
        holos_record_parameter(&holos_parameter_here, name, value); \
    } while (0)

#endif
