// The supervisor's arguments: key=value words, then "--", then the target's command.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace supervise {

enum class Clock { cpu, wall };

constexpr int64_t kSecond = 1'000'000'000;  // all times are nanoseconds
constexpr int64_t kNever = INT64_MAX;

struct Settings {
    Clock clock = Clock::cpu;
    int64_t cap_ns = kNever;          // on `clock`
    int64_t guard_ns = kNever;        // idle time after which the run is stopped as asleep
    int64_t grace_ns = kSecond / 20;  // from SIGTERM to SIGKILL
    int64_t memory_bytes = INT64_MAX;
    size_t keep_bytes = 1 << 15;  // of each end of each output stream
    pid_t driver = 0;
    pid_t adopted = 0;   // an existing child to supervise, instead of a command
    int limits_fd = -1;  // pipe on which that child announces its runs (RunLimits)
    std::vector<int> cores;
    size_t token_bytes = 0;  // number of secret bytes that the driver sends first
    std::string token;       // they begin the report and cancel the run; the target cannot know them
    // Where to create a control group of this name: folders of the hierarchies, empty if not used.
    std::string group, unified, cpuacct, memory_group, pids_group, freezer;
    bool memory_in_unified = false;
    int64_t most_processes = 0;  // 0: no limit
    char** command = nullptr;
};

// Prints an error and exits if a word cannot be read: only tightrope itself starts this program.
Settings read_settings(int argc, char** argv);

}  // namespace supervise
