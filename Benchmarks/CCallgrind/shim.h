#ifndef CCALLGRIND_SHIM_H
#define CCALLGRIND_SHIM_H

// Valgrind's requests are macros, which Swift does not see. Outside of valgrind they do nothing.
#include <valgrind/callgrind.h>

/// Begins to count the instructions of all threads.
static inline void callgrind_start(void) { CALLGRIND_START_INSTRUMENTATION; }

/// Counts no more.
static inline void callgrind_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }

#endif
