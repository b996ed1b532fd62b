#include "children.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace supervise {

namespace {

constexpr int kMostPasses = 1000;

// The beginning of the list: later children follow once these are gone. Empty where the kernel has no such
// file.
std::string read_children() {
    char path[64], text[4096];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(getpid()));
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return "";
    const ssize_t size = read(fd, text, sizeof text);
    close(fd);
    if (size <= 0) return "";
    std::string list(text, static_cast<size_t>(size));
    list.erase(list.rfind(' ') + 1);  // the last number may be cut
    return list;
}

}  // namespace

void kill_children(const std::function<void()>& reap) {
    std::string before;
    for (int n = 0; n < kMostPasses; ++n) {
        const std::string list = read_children();
        if (list.empty() || list == before) return;  // nothing new: they need time to end
        before = list;
        for (const char* at = list.c_str();;) {
            char* end = nullptr;
            const long pid = std::strtol(at, &end, 10);
            if (end == at) break;
            kill(static_cast<pid_t>(pid), SIGKILL);
            at = end;
        }
        reap();
    }
}

}  // namespace supervise
