#include "launch.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

namespace supervise {

namespace {

struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() {
        if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
    }
    bool is_open() const { return ends[0] >= 0; }
};

bool pin(const std::vector<int>& cores) {
    if (cores.empty()) return true;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int core : cores) CPU_SET(static_cast<size_t>(core), &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

void restore_signals() {
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Runs in the child. If the target cannot be executed, writes errno to `trouble` and exits.
[[noreturn]] void become(const Settings& settings, pid_t supervisor, int out, int err, int trouble) {
    setsid();
    // If the supervisor is killed with SIGKILL, at least the target itself dies with it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(127);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (nothing > STDERR_FILENO) close(nothing);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);  // the time to write a large core dump would count as the target's
    restore_signals();
    if (pin(settings.cores)) execvp(settings.command[0], settings.command);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(trouble, &error, sizeof error);
    _exit(127);
}

}  // namespace

Launched launch(const Settings& settings) {
    Launched launched;
    const Pipe out, err, trouble;
    if (!out.is_open() || !err.is_open() || !trouble.is_open()) {
        launched.error = errno;
        return launched;
    }
    const pid_t supervisor = getpid();
    launched.pid = fork();
    if (launched.pid == 0) become(settings, supervisor, out.ends[1], err.ends[1], trouble.ends[1]);
    if (launched.pid < 0) launched.error = errno;
    close(out.ends[1]);
    close(err.ends[1]);
    close(trouble.ends[1]);
    int error = 0;
    if (launched.pid > 0 && read(trouble.ends[0], &error, sizeof error) == sizeof error)
        launched.error = error;
    close(trouble.ends[0]);
    launched.out = out.ends[0];
    launched.err = err.ends[0];
    fcntl(launched.out, F_SETFL, O_NONBLOCK);
    fcntl(launched.err, F_SETFL, O_NONBLOCK);
    return launched;
}

}  // namespace supervise
