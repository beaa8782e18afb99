/* The server: bash itself, held before main().
 *
 * The jail starts `bash -c :` as process 1 with this library preloaded. The constructor below never returns there: it
 * forks once for each command, and the fork, given the command as its third argument, goes on into bash's main(). That
 * saves an execve and the dynamic linking for each command. As process 1 it can't be killed from inside and inherits
 * every orphan, so a run is over when it has no children left.
 *
 * Protocol on descriptors 0 and 1, both closed in every fork: a request and its text in, an answer and the records out.
 */
#define _GNU_SOURCE
#include "arena.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#else
#error "the execution oracle knows the system calls of x86-64 and aarch64 only"
#endif

struct request { uint32_t length, milliseconds, exit_status; };
struct answer { int32_t status; uint32_t doubts, bytes; };

static void give_up(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    _exit(1);
}

static int read_fully(void *into, size_t bytes) {
    for (char *at = into; bytes;) {
        ssize_t got = read(STDIN_FILENO, at, bytes);
        if (got <= 0)
            return 0;
        at += got;
        bytes -= (size_t)got;
    }
    return 1;
}

static void write_fully(const void *from, size_t bytes) {
    for (const char *at = from; bytes;) {
        ssize_t put = write(STDOUT_FILENO, at, bytes);
        if (put <= 0)
            _exit(0); /* nobody listens any more */
        at += put;
        bytes -= (size_t)put;
    }
}

/* The second wall behind the preloaded execve(): the kernel kills whoever really tries to execute anything. Shell text
 * has no way to try; the server needs none once it runs. Sockets are refused besides having no network to reach. */
static void forbid_execution(void) {
#define DENY(number, verdict)                                                                                          \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, (verdict))
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined __x86_64__
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1), /* the x32 calls */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
#endif
        DENY(__NR_execve, SECCOMP_RET_KILL_PROCESS),
        DENY(__NR_execveat, SECCOMP_RET_KILL_PROCESS),
        DENY(__NR_socket, SECCOMP_RET_ERRNO | EACCES),
        DENY(__NR_ptrace, SECCOMP_RET_ERRNO | EPERM),
        DENY(__NR_process_vm_writev, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        give_up("no_new_privs");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        give_up("seccomp filter");
}

static void limit(int what, rlim_t most) {
    struct rlimit both = {most, most};
    if (setrlimit(what, &both))
        _exit(1);
}

/* Makes the fork an ordinary bash: its own session, nothing open but /dev/null, limits that it can only lower. */
static void become_shell(const sigset_t *mask) {
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    if (open("/dev/null", O_RDWR) != 0 || dup(0) != 1 || dup(0) != 2)
        _exit(1);
    setsid();
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* else /dev/fd/N of a process substitution can't be opened */
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, 2);
    limit(RLIMIT_AS, 48u << 20);
    limit(RLIMIT_FSIZE, 1u << 20);
    limit(RLIMIT_NOFILE, 256);
    limit(RLIMIT_NPROC, 64);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

static int64_t now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000ll + at.tv_nsec;
}

/* Waits until no process is left, or ends them all. Returns the wait status of `shell`. */
static int attend(pid_t shell, int64_t deadline, const sigset_t *child_ended) {
    int result = -1, status;
    for (;;) {
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (ended == shell)
                result = status;
        if (ended < 0)
            return result;
        int64_t left = deadline - now();
        if (left <= 0)
            doubt(DOUBT_TIME);
        if (left <= 0 || atomic_load(&arena->doubts) & DOUBT_PROGRAMS)
            break;
        int64_t most = left < 10000000 ? left : 10000000; /* no signal tells of DOUBT_PROGRAMS */
        struct timespec pause = {0, most};
        sigtimedwait(child_ended, NULL, &pause);
    }
    uint32_t doubts = atomic_load(&arena->doubts);
    for (pid_t ended = 0; ended >= 0;) {
        kill(-1, SIGKILL);
        if ((ended = waitpid(-1, &status, 0)) == shell)
            result = status;
    }
    atomic_store(&arena->doubts, doubts); /* without the signal just sent */
    return result;
}

/* bash can make files, never directories, and only the working directory can be written. */
static void tidy(void) {
    DIR *here = opendir(".");
    if (!here)
        _exit(1);
    for (struct dirent *entry; (entry = readdir(here));)
        unlink(entry->d_name);
    closedir(here);
}

/* Whole records only: a length of zero was left by a process that was killed while it wrote. */
static uint32_t whole_records(void) {
    uint32_t used = atomic_load(&arena->used), at = 0, length;
    if (used > RECORD_BYTES)
        used = RECORD_BYTES;
    while (used - at >= 4) {
        memcpy(&length, arena->records + at, 4);
        if (length < 8 || length > used - at) {
            doubt(DOUBT_SPACE);
            break;
        }
        at += length;
    }
    return at;
}

__attribute__((constructor)) static void serve(int argc, char **argv, char **envp) {
    if (getpid() != 1 || argc < 3)
        give_up("the oracle's library is for process 1 of its jail");
    for (char **from = envp, **to = envp; (*to = *from); from++)
        if (strncmp(*from, "LD_PRELOAD=", 11))
            to++;
    arena = mmap(NULL, sizeof *arena, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (arena == MAP_FAILED)
        give_up("shared memory");
    setlocale(LC_ALL, ""); /* loaded once here instead of in each fork */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    forbid_execution();
    sigset_t child_ended, mask;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, &mask);
    write_fully("ready", 5);

    struct request wanted;
    while (read_fully(&wanted, sizeof wanted)) {
        char *text = malloc((size_t)wanted.length + 1);
        if (!text || !read_fully(text, wanted.length))
            _exit(0);
        text[wanted.length] = 0;
        uint32_t dirty = atomic_load(&arena->used);
        memset(arena, 0, offsetof(struct arena, records) + (dirty < RECORD_BYTES ? dirty : RECORD_BYTES));
        arena->exit_status = wanted.exit_status;
        int64_t deadline = now() + wanted.milliseconds * 1000000ll;
        pid_t shell = start_process();
        if (!shell) {
            become_shell(&mask);
            argv[2] = text;
            return; /* into bash's main() */
        }
        struct answer found = {.status = shell < 0 ? -1 : attend(shell, deadline, &child_ended)};
        free(text);
        tidy();
        found.bytes = whole_records();
        found.doubts = atomic_load(&arena->doubts);
        write_fully(&found, sizeof found);
        write_fully(arena->records, found.bytes);
    }
    _exit(0);
}
