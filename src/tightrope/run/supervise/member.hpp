// One process as /proc shows it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace supervise {

struct Member {
    pid_t pid = 0;
    pid_t parent = 0;
    char state = '?';
    int threads = 0;
    uint64_t start = 0;       // with the pid it names a process for good
    int64_t own_ns = 0;       // its own CPU time, dead threads included
    int64_t children_ns = 0;  // of children it has waited for, in whole ticks
    int64_t memory_bytes = 0;

    // A process whose first thread has ended looks like a zombie while its other threads go on.
    bool is_alive() const { return (state != 'Z' && state != 'X') || threads > 1; }
    bool is_same_as(const Member& other) const { return pid == other.pid && start == other.start; }
    int64_t total_ns() const { return own_ns + children_ns; }
};

int64_t tick_ns();

// Everything but its own CPU time; nothing if there is no such process.
std::optional<Member> read_member(pid_t pid);

// Its own CPU time to the nanosecond; nothing if it is gone.
std::optional<int64_t> read_cpu_ns(pid_t pid);

// Whether one of its threads runs or waits for a core.
bool wants_cpu(const Member& member);

// Its share of memory, pages that n processes share counting 1/n; its resident memory if that is not to be
// had.
int64_t read_share_bytes(const Member& member);

// Signals this very process: a pid that has meanwhile been given to another one is left alone.
void signal_member(const Member& member, int number);

}  // namespace supervise
