/* What bash finds instead of the C library's functions (LD_PRELOAD).
 *
 * execve() records the program and its words, prints one word as the program's output, and exits: nothing is ever
 * executed. Any name looks like a program in the directory PROGRAMS. The other functions only watch for failures that
 * would keep bash from starting a program the text asks for.
 */
#define _GNU_SOURCE
#include "arena.h"

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __GLIBC__
#error "the execution oracle needs glibc: it watches allocations through __libc_malloc"
#endif

struct arena *arena;

void doubt(enum doubt why) {
    if (arena)
        atomic_fetch_or(&arena->doubts, why);
}

#define REAL(result, name, ...)                                                                                        \
    static result (*real)(__VA_ARGS__);                                                                                \
    if (!real)                                                                                                         \
    real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

/* A record: its whole length, then each word with its length in front; the first word is the path. The length of the
 * record is written last, so that a process killed on the way leaves a zero there. */
static void record(const char *path, char *const argv[]) {
    size_t length = 8 + strlen(path);
    for (size_t i = 0; argv && argv[i]; i++)
        length += 4 + strlen(argv[i]);
    if (length > RECORD_BYTES) {
        doubt(DOUBT_SPACE);
        return;
    }
    uint32_t start = atomic_fetch_add(&arena->used, (uint32_t)length);
    if (start > RECORD_BYTES || length > RECORD_BYTES - start) {
        doubt(DOUBT_SPACE);
        return;
    }
    unsigned char *out = arena->records + start + 4;
    const char *word = path;
    for (size_t i = 0; word; word = argv ? argv[i++] : NULL) {
        uint32_t bytes = (uint32_t)strlen(word);
        memcpy(out, &bytes, 4);
        memcpy(out + 4, word, bytes);
        out += 4 + bytes;
    }
    atomic_thread_fence(memory_order_release);
    uint32_t whole = (uint32_t)length;
    memcpy(arena->records + start, &whole, 4);
}

int execve(const char *path, char *const argv[], char *const envp[]) {
    (void)envp;
    record(path, argv);
    uint32_t number = atomic_fetch_add(&arena->programs, 1);
    if (number >= PROGRAMS_MAX) {
        doubt(DOUBT_PROGRAMS);
        for (;;)
            pause(); /* the server ends the run */
    }
    if (write(STDOUT_FILENO, "w1\n", 3) < 0) {
        /* The script closed or broke its output, as it may. */
    }
    _exit((int)(arena->exit_status ^ (number / TURN % 2)));
}

int execveat(int directory, const char *path, char *const argv[], char *const envp[], int flags) {
    (void)directory, (void)flags;
    return execve(path, argv, envp);
}

static int is_program(const char *path) {
    size_t prefix = sizeof PROGRAMS - 1;
    return path && !strncmp(path, PROGRAMS, prefix) && path[prefix] && !strchr(path + prefix, '/');
}

int stat(const char *path, struct stat *out) {
    REAL(int, stat, const char *, struct stat *);
    if (!is_program(path))
        return real(path, out);
    memset(out, 0, sizeof *out);
    out->st_mode = S_IFREG | 0755;
    out->st_nlink = 1;
    out->st_size = 1;
    return 0;
}

int access(const char *path, int mode) {
    REAL(int, access, const char *, int);
    return is_program(path) ? 0 : real(path, mode);
}

int eaccess(const char *path, int mode) {
    REAL(int, eaccess, const char *, int);
    return is_program(path) ? 0 : real(path, mode);
}

int faccessat(int directory, const char *path, int mode, int flags) {
    REAL(int, faccessat, int, const char *, int, int);
    return is_program(path) ? 0 : real(directory, path, mode, flags);
}

pid_t start_process(void) {
    REAL(pid_t, fork, void);
    pid_t child = real();
    if (child < 0)
        doubt(DOUBT_FORK);
    return child;
}

pid_t fork(void) { return start_process(); }

int pipe(int ends[2]) {
    REAL(int, pipe, int *);
    int result = real(ends);
    if (result < 0)
        doubt(DOUBT_FORK);
    return result;
}

static int is_unnatural(int signal_number) {
    switch (signal_number) {
    case SIGABRT: case SIGBUS: case SIGFPE: case SIGILL: case SIGKILL: case SIGSEGV: case SIGSYS: case SIGXCPU: case SIGXFSZ:
        return 1;
    default:
        return 0;
    }
}

pid_t waitpid(pid_t child, int *status, int options) {
    REAL(pid_t, waitpid, pid_t, int *, int);
    int own;
    int *seen = status ? status : &own;
    pid_t ended = real(child, seen, options);
    if (ended > 0 && WIFSIGNALED(*seen) && is_unnatural(WTERMSIG(*seen)))
        doubt(DOUBT_SIGNAL);
    return ended;
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

void *malloc(size_t bytes) {
    void *block = __libc_malloc(bytes);
    if (!block)
        doubt(DOUBT_MEMORY);
    return block;
}

void *calloc(size_t count, size_t bytes) {
    void *block = __libc_calloc(count, bytes);
    if (!block)
        doubt(DOUBT_MEMORY);
    return block;
}

void *realloc(void *old, size_t bytes) {
    void *block = __libc_realloc(old, bytes);
    if (!block && bytes)
        doubt(DOUBT_MEMORY);
    return block;
}
