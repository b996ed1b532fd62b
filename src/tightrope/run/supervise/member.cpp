#include "member.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Older C libraries lack these names (Linux 5.3 and 5.1). The numbers are the same on all architectures
// except Alpha.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

namespace supervise {

namespace {

// Reads a small file of /proc/PID; returns its length, or 0 if it cannot be read.
size_t slurp(pid_t pid, const char* file, char* text, size_t size) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/%s", static_cast<int>(pid), file);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    const ssize_t n = read(fd, text, size - 1);
    close(fd);
    if (n <= 0) return 0;
    text[n] = '\0';
    return static_cast<size_t>(n);
}

}  // namespace

int64_t tick_ns() {
    static const int64_t ns = 1'000'000'000 / std::max(sysconf(_SC_CLK_TCK), 1L);
    return ns;
}

std::optional<Member> read_member(pid_t pid) {
    char text[1024];
    if (slurp(pid, "stat", text, sizeof text) == 0) return std::nullopt;
    const char* rest = std::strrchr(text, ')');  // the name before it may contain anything, even parentheses
    if (rest == nullptr) return std::nullopt;
    Member member;
    int parent = 0;
    unsigned long long start = 0;
    long children_user = 0, children_system = 0, threads = 0, pages = 0;
    const int n = std::sscanf(
        rest + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %ld %ld %*d %*d %ld %*d %llu %*u %ld",
        &member.state, &parent, &children_user, &children_system, &threads, &start, &pages);
    if (n != 7) return std::nullopt;
    static const int64_t page_bytes = sysconf(_SC_PAGESIZE);
    member.pid = pid;
    member.parent = parent;
    member.threads = static_cast<int>(threads);
    member.start = start;
    member.children_ns = (children_user + children_system) * tick_ns();
    member.memory_bytes = pages * page_bytes;
    return member;
}

std::optional<int64_t> read_cpu_ns(pid_t pid) {
    clockid_t clock;
    timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return std::nullopt;
    return time.tv_sec * INT64_C(1'000'000'000) + time.tv_nsec;
}

bool wants_cpu(const Member& member) {
    if (member.state == 'R') return true;
    if (member.threads <= 1) return false;
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/task", static_cast<int>(member.pid));
    DIR* tasks = opendir(path);
    if (tasks == nullptr) return false;
    bool wants = false;
    while (const dirent* entry = wants ? nullptr : readdir(tasks)) {
        const std::optional<Member> thread = read_member(static_cast<pid_t>(std::atoi(entry->d_name)));
        wants = thread && thread->state == 'R';
    }
    closedir(tasks);
    return wants;
}

int64_t read_share_bytes(const Member& member) {
    char text[4096];
    if (slurp(member.pid, "smaps_rollup", text, sizeof text) == 0) return member.memory_bytes;
    const char* line = std::strstr(text, "\nPss:");
    return line == nullptr ? member.memory_bytes : std::strtoll(line + 5, nullptr, 10) * 1024;
}

void signal_member(const Member& member, int number) {
    const int fd = static_cast<int>(syscall(SYS_pidfd_open, member.pid, 0));
    if (fd < 0 && errno != ENOSYS) return;
    const std::optional<Member> now = read_member(member.pid);
    if (now && now->is_same_as(member)) {
        if (fd >= 0)
            syscall(SYS_pidfd_send_signal, fd, number, nullptr, 0);
        else
            kill(member.pid, number);
    }
    if (fd >= 0) close(fd);
}

}  // namespace supervise
