// What this program asks of the machine besides processes: time, cores, and how crowded they are.
#pragma once

#include <cstdint>
#include <vector>

namespace supervise {

int64_t monotonic_ns();

// The number of cores of a list; of all that may be used if the list is empty.
int count_cores(const std::vector<int>& cores);

// How many processes are ready to run for each core, on average over a minute; at least 1.
double crowding();

}  // namespace supervise
