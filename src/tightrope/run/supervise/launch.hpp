// Starts the target in a session of its own.
#pragma once

#include <sys/types.h>

#include "settings.hpp"

namespace supervise {

struct Launched {
    pid_t pid = -1;
    int error = 0;  // why it could not be started; 0 if it was
    int out = -1;   // where its output can be read, without blocking
    int err = -1;
};

Launched launch(const Settings& settings);

}  // namespace supervise
