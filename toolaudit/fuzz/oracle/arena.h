/* The records of one run, in memory that the server and every bash it forks share.
 *
 * The mapping is anonymous: no path and no descriptor leads to it, so shell text has no means to close, rewind,
 * truncate or write it. Only the shim writes here, and only from inside execve(), fork() and the like.
 */
#ifndef TOOLAUDIT_ARENA_H
#define TOOLAUDIT_ARENA_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#define PROGRAMS "/programs/"      /* the one directory of PATH; every name in it seems to exist */
#define RECORD_BYTES (1u << 20)    /* for all records of a run */
#define PROGRAMS_MAX 120u          /* a run that starts more is cut short */
#define TURN 6u                    /* after so many programs the exit status flips, so that `while ls` ends */

/* Why a run may have started more than its records show. The Python side names the bits in the same order. */
enum doubt {
    DOUBT_TIME = 1,       /* the wall clock ran out */
    DOUBT_PROGRAMS = 2,   /* more than PROGRAMS_MAX programs */
    DOUBT_SPACE = 4,      /* records did not fit, or one was cut by a kill */
    DOUBT_FORK = 8,       /* fork() or pipe() failed */
    DOUBT_MEMORY = 16,    /* an allocation failed */
    DOUBT_SIGNAL = 32,    /* a process died of a signal that no ordinary command dies of */
};

struct arena {
    _Atomic uint32_t doubts;
    _Atomic uint32_t programs;
    _Atomic uint32_t used;
    uint32_t exit_status; /* of the first TURN programs: 0 or 1 */
    unsigned char records[RECORD_BYTES];
};

extern struct arena *arena;

void doubt(enum doubt why);
pid_t start_process(void); /* the real fork(), doubts included */

#endif
