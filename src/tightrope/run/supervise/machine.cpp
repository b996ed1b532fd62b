#include "machine.hpp"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace supervise {

int64_t monotonic_ns() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1'000'000'000) + time.tv_nsec;
}

int count_cores(const std::vector<int>& cores) {
    if (!cores.empty()) return static_cast<int>(cores.size());
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1024;
}

double crowding() {
    double load = 0;
    const double cores = static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    return getloadavg(&load, 1) == 1 ? std::max(1.0, load / cores) : 1.0;
}

}  // namespace supervise
