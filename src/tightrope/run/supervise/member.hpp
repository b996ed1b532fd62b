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
    uint64_t start = 0;       // start time; with the pid it identifies a process uniquely
    int64_t own_ns = 0;       // its own CPU time, including dead threads
    int64_t children_ns = 0;  // CPU time of children it has waited for, in whole ticks
    int64_t memory_bytes = 0;

    // A process whose main thread has ended looks like a zombie while its other threads run.
    bool is_alive() const { return (state != 'Z' && state != 'X') || threads > 1; }
    bool is_same_as(const Member& other) const { return pid == other.pid && start == other.start; }
    int64_t total_ns() const { return own_ns + children_ns; }
};

int64_t tick_ns();

// Reads everything but `own_ns`; empty if there is no such process.
std::optional<Member> read_member(pid_t pid);

// Reads its own CPU time in nanoseconds; empty if it is gone.
std::optional<int64_t> read_cpu_ns(pid_t pid);

// Whether one of its threads is running or waiting for a core.
bool wants_cpu(const Member& member);

// Its proportional share of memory (a page shared by n processes counts 1/n); its resident memory if the
// share cannot be read.
int64_t read_share_bytes(const Member& member);

// Signals exactly this process: if its pid has been reused by another process, nothing is sent.
void signal_member(const Member& member, int number);

}  // namespace supervise
