// Calls on files that exist only with _GNU_SOURCE.
#pragma once
#include <linux/fs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Waits for what is being written and reports an error of write-back that this descriptor has not seen.
static inline int lull_await_writeback(int fd) {
    return (int)syscall(SYS_sync_file_range, fd, (off_t)0, (off_t)0, SYNC_FILE_RANGE_WAIT_BEFORE);
}
