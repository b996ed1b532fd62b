// What the supervisor is told on its command line: key=value words, then "--", then the target's own words.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace supervise {

enum class Clock { cpu, wall };

constexpr int64_t kSecond = 1'000'000'000;  // all times are nanoseconds
constexpr int64_t kNever = INT64_MAX;

struct Settings {
    Clock clock = Clock::cpu;
    int64_t cap_ns = kNever;          // on the clock
    int64_t guard_ns = kNever;        // idle time after which a sleeper is ended
    int64_t grace_ns = kSecond / 20;  // from SIGTERM to SIGKILL
    int64_t memory_bytes = INT64_MAX;
    size_t keep_bytes = 1 << 15;  // of each end of each output stream
    pid_t driver = 0;
    pid_t adopted = 0;  // a child that we have already, instead of a command
    int steering = -1;  // where that child tells us of its runs, one after the other
    std::vector<int> cores;
    char** command = nullptr;
};

// Explains itself on standard error and exits if a word cannot be read: only our own driver calls us.
Settings read_settings(int argc, char** argv);

}  // namespace supervise
