// Starts the target in its own session.
#pragma once

#include <sys/types.h>

#include "group.hpp"
#include "settings.hpp"

namespace supervise {

enum class Stage { prepare, fork, pin, execute };

const char* name_of(Stage stage);

struct Launched {
    pid_t pid = -1;
    int error = 0;                 // errno if it could not be started; 0 if it was
    Stage stage = Stage::prepare;  // what failed then
    int out = -1;                  // non-blocking read end of its standard output
    int err = -1;
};

Launched launch(const Settings& settings, const Group& group);

}  // namespace supervise
