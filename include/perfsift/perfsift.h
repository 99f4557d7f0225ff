/** \file
 * perfsift for C: recordings of perf record, their samples, stacks and names.
 *
 * Objects are handles. A function that makes an object returns NULL if it fails; a function that returns int returns 0,
 * or the code of the error. `error`, the last argument, gets an object that says what is wrong, to be freed by
 * perfsift_error_free(); it may be NULL. On success it is not touched.
 *
 * NULL, a freed handle, or a handle of another kind is an error (PERFSIFT_ERROR_USAGE), not a crash. Handles may be
 * freed in any order: columns and profiles do not need their recording any more.
 *
 * Structs that a caller makes begin with their size, so that later versions can add fields: use the macros
 * PERFSIFT_…_INIT. Texts are UTF-8 as far as the recording's names are, end with a NUL, and live as long as the object
 * that the function got, unless the function says otherwise.
 *
 * Thread-safety: all functions may be called by several threads at once; a recording has one visit at a time
 * (PERFSIFT_ERROR_BUSY). Times are nanoseconds of the event clock.
 */
#ifndef PERFSIFT_PERFSIFT_H
#define PERFSIFT_PERFSIFT_H

#include <perfsift/c/payloads.h>
#include <perfsift/c/recording.h>
#include <perfsift/c/sampling.h>

#endif
