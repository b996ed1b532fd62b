// Why a run is over, as the report names it.
#pragma once

namespace supervise {

enum class Reason { exited, cap, guard, hidden, memory, cancelled, driver };

inline const char* name_of(Reason reason) {
    switch (reason) {
        case Reason::exited:
            return "exited";
        case Reason::cap:
            return "cap";
        case Reason::guard:
            return "guard";
        case Reason::hidden:
            return "hidden";
        case Reason::memory:
            return "memory";
        case Reason::cancelled:
            return "cancelled";
        case Reason::driver:
            return "driver";
    }
    return "?";
}

}  // namespace supervise
