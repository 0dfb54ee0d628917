// libpq for Swift: Debian keeps its headers in a folder of their own. And how to start a server:
// posix_spawn(3) with the extensions of glibc that Swift's Glibc module hides.
#pragma once
#include <fcntl.h>
#include <postgresql/libpq-fe.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>

// Declared here because _GNU_SOURCE would give this module another fd_set than Swift's Glibc has.
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *__restrict,
                                         const char *__restrict);

// Starts a program in a session of its own, in `directory`, with default signals, nothing on its
// standard input, its words appended to the descriptor `output`, and no other descriptor.
// Answers an error number, 0 for success.
static inline int lull_spawn_detached(pid_t *pid, const char *path, char *const *arguments,
                                      char *const *environment, const char *directory,
                                      int output) {
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return failure;
    posix_spawnattr_t attributes;
    failure = posix_spawnattr_init(&attributes);
    if (failure) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    failure = posix_spawnattr_setflags(&attributes, flags);
    if (!failure) failure = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!failure) failure = posix_spawnattr_setsigmask(&attributes, &none);
    if (!failure) failure = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, 2);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!failure) failure = posix_spawn_file_actions_addchdir_np(&actions, directory);
    if (!failure)
        failure = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}
