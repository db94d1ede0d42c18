/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOLOS_COUNTERS_H
#define HOLOS_COUNTERS_H

/// Counters that a program reads itself:
///
///     holos_counters* counters = holos_counters_start("page-faults,task-clock");
///     long long values[2];
///     ...
///     holos_counters_stop(counters, values);
///
/// Names are those of `holos counters list`. Link with `-lholos-counters` (in CMake `holos::user_counters`).
/// It counts by itself, under `holos record` as without it.
///
/// All functions may be called from any thread; a set of counters belongs to the thread that started it and
/// counts what that does. What can fail returns NULL or -1, and `holos_counters_error` says why. None prints,
/// ends the program or sets errno.

#ifdef __cplusplus
extern "C" {
#endif

/// Counters that run.
typedef struct holos_counters holos_counters;

/// Starts counting these, separated by commas. NULL where one of them cannot be counted.
holos_counters* holos_counters_start(const char* names);

/// How many they are: the number of values that the following functions write.
int holos_counters_number(const holos_counters* counters);

/// What was counted since the start, or the last `holos_counters_accumulate`, in the order of the names; of a
/// state, such as a temperature, what it is now. Real values are rounded.
int holos_counters_read(holos_counters* counters, long long* values);

/// Adds that to `values`, and counts on from 0; a state takes the place of its value.
int holos_counters_accumulate(holos_counters* counters, long long* values);

/// Counts on from these values, one for each counter: so a program saves values (`holos_counters_read`), and
/// restores them, also in another set of the same counters. States stay what they are.
int holos_counters_write(holos_counters* counters, const long long* values);

/// Counts these as well, behind the others and from 0; or no longer, where the others move up. Counters that
/// stay keep their values; what happens during the call may be missing in them. Where the new set cannot be
/// counted, the old one goes on.
int holos_counters_add(holos_counters* counters, const char* names);
int holos_counters_remove(holos_counters* counters, const char* names);

/// Reads (`values` may be NULL), ends counting and frees `counters`, also where it returns -1 because they
/// could not be read. Only in another thread than the starting one nothing is done.
int holos_counters_stop(holos_counters* counters, long long* values);

/// The smallest part of the time in which one of them was counted, from 0 to 1. Below 1 somebody else, such
/// as `holos record --counters` or PAPI, wanted the same registers of the processor, and the values are too
/// small.
double holos_counters_share(const holos_counters* counters);

/// Why the last call in this thread failed; empty when none did.
const char* holos_counters_error(void);

/// What is called at a threshold: `address` is where the thread was, or NULL where that is not known. It runs
/// in a signal handler, and may do only what these may (signal-safety(7)); it must not stop the threshold.
typedef void (*holos_counters_handler)(void* address, void* data);
typedef struct holos_counters_threshold holos_counters_threshold;

/// Calls `handler` in the calling thread each time that `threshold` more of an event have happened there. The
/// event is one of perf; of time, a threshold is 100,000 ns or more. NULL where that cannot be. Uses the
/// signal SIGSTKFLT.
holos_counters_threshold* holos_counters_threshold_start(const char* event, long long threshold,
                                                         holos_counters_handler handler, void* data);
/// Only in the thread that started it, and before that ends.
int holos_counters_threshold_stop(holos_counters_threshold* threshold);

/// What a counter is, whether it can be counted or not. Texts that are too long are cut.
struct holos_counter {
    char name[128];
    char description[256];
    char unit[16];          ///< `occ`, `ns`, `kB`
    char unavailable[256];  ///< why it cannot be counted here; empty when it can
    int scope;              ///< 0: what happens in a thread, 1: in its process, 2: on the node
    int is_state;           ///< not 0: a value such as a temperature, which nothing adds up
};

/// 0 when the counter can be counted here by itself. What it needs is not kept.
int holos_counters_query(const char* name);
/// Also of events that no list has, such as raw ones. -1 where no counter has this name.
int holos_counters_describe(const char* name, struct holos_counter* counter);

/// A kind of counters: the kernel's, those of a device, PAPI's components, which are loaded for this where
/// PAPI is installed.
struct holos_component {
    char name[64];
    char description[256];
    char unavailable[256];  ///< why nothing of it can be counted here; empty when some can
    int scope;              ///< as of a counter
    int counters;           ///< how many are listed
};

/// How many there are, found at the first of these calls; the component of a number from 0 on; and one of the
/// counters that it lists.
int holos_counters_components(void);
int holos_counters_component(int index, struct holos_component* component);
int holos_counters_listed(int component, int index, struct holos_counter* counter);

/// How many events of the processor can be counted at the same time, beside those that have registers of
/// their own. -1 where none can, as in most virtual machines.
int holos_counters_registers(void);

/// What the machine is; 0 or empty where nobody knows.
struct holos_hardware {
    char vendor[32];
    char model[128];
    int family, model_number, stepping;
    double megahertz;  ///< nominal
    int processors;    ///< on which threads can run at the same time
    int cores;
    int sockets;
    int memory_nodes;  ///< parts of the memory that are not equally far from all processors
    long long memory;  ///< bytes
    long long page;    ///< bytes
};
int holos_hardware_info(struct holos_hardware* hardware);

/// The program that runs, and where it lies in memory, without its libraries: instructions, variables with a
/// value at the start, variables without one.
struct holos_executable {
    char path[4096];
    char name[256];
    void *text_begin, *text_end;
    void *data_begin, *data_end;
    void *bss_begin, *bss_end;
};
int holos_executable_info(struct holos_executable* program);

/// Nanoseconds since some moment in the past, and of the calling thread on a processor.
long long holos_real_time(void);
long long holos_virtual_time(void);

/// What a rate is made of. The first call in a thread starts counting, and returns zeros.
struct holos_rate {
    double real_time;     ///< seconds since the first call
    double virtual_time;  ///< of these on a processor
    long long events;     ///< since the first call
    long long reference;  ///< the same of what they are compared with; nanoseconds where that is virtual time
    double rate;  ///< events by reference since the previous call; per second where that is virtual time
};

/// Completed instructions per cycle.
int holos_instructions_per_cycle(struct holos_rate* rate);
/// Floating-point operations per second of virtual time, by the first of PAPI's presets FP_OPS, DP_OPS,
/// SP_OPS and FP_INS that can be counted here.
int holos_flop_rate(struct holos_rate* rate);
/// Any counter by another one, or per second of virtual time where `reference` is NULL. A thread has one rate
/// at a time: another one starts anew.
int holos_rate_of(const char* event, const char* reference, struct holos_rate* rate);
/// Ends counting for the thread's rate.
void holos_rate_stop(void);

#ifdef __cplusplus
}
#endif

#endif
