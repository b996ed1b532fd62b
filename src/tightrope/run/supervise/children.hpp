// Kills our children faster than they can fork.
#pragma once

#include <functional>

namespace supervise {

// A chain of processes, each of which forks the next and ends, is faster than a look at /proc. But each
// becomes our child when its parent ends, and a list of our children is read much faster. They are not reaped
// meanwhile, so their pids are not reused.
void kill_children(const std::function<void()>& reap);

}  // namespace supervise
