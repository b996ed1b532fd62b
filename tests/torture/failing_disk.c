/* Loaded before the C library: the n-th call that writes to a file whose path contains a word fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char word[256];
static long calls_left = -1; /* negative: no call fails */
static int error_number;
static int stays_broken;
static long calls_seen;

void fail_at(const char *path_word, long call, int error, int for_good) {
    snprintf(word, sizeof word, "%s", path_word);
    calls_left = call;
    error_number = error;
    stays_broken = for_good;
    calls_seen = 0;
}

long calls(void) { return calls_seen; }

static int fails(int fd) {
    char link[64], path[4096];
    if (calls_left < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    if (!strstr(path, word)) return 0;
    calls_seen++;
    if (calls_left > 0) {
        calls_left--;
        return 0;
    }
    if (!stays_broken) calls_left = -1;
    errno = error_number;
    return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t n) { return fails(fd) ? -1 : NEXT(write)(fd, data, n); }
ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
    return fails(fd) ? -1 : NEXT(pwrite)(fd, data, n, at);
}
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
    return fails(fd) ? -1 : NEXT(pwrite64)(fd, data, n, at);
}
int ftruncate(int fd, off_t n) { return fails(fd) ? -1 : NEXT(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { return fails(fd) ? -1 : NEXT(ftruncate64)(fd, n); }
int fsync(int fd) { return fails(fd) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : NEXT(fdatasync)(fd); }
int fallocate(int fd, int mode, off_t at, off_t n) { return fails(fd) ? -1 : NEXT(fallocate)(fd, mode, at, n); }
int posix_fallocate(int fd, off_t at, off_t n) {
    return fails(fd) ? error_number : NEXT(posix_fallocate)(fd, at, n);
}
