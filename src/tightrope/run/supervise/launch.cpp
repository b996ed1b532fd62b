#include "launch.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#ifndef SYS_clone3
#define SYS_clone3 435
#endif

namespace supervise {

namespace {

// As clone3 of Linux 5.7 takes them; older C libraries lack the declaration.
struct CloneArguments {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size,
        cgroup;
};
constexpr uint64_t kCloneIntoGroup = UINT64_C(0x200000000);

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

// What the child writes if the target cannot be executed.
struct Trouble {
    int error;
    Stage stage;
};

// Runs in the child. If the target cannot be executed, writes why to `trouble` and exits.
[[noreturn]] void become(const Settings& settings, const Group& group, pid_t supervisor, int nothing, int out,
                         int err, int trouble) {
    setsid();
    // If the supervisor is killed with SIGKILL, at least the target itself dies with it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(127);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);  // the time to write a large core dump would count as the target's
    restore_signals();
    Stage stage = Stage::prepare;
    if (group.enter()) stage = Stage::pin;
    if (stage == Stage::pin && pin(settings.cores)) {
        stage = Stage::execute;
        execvp(settings.command[0], settings.command);
    }
    const Trouble met{errno, stage};
    [[maybe_unused]] const ssize_t written = write(trouble, &met, sizeof met);
    _exit(127);
}

// Forks directly into the group of version 2: to move a process later takes the kernel up to 0.1 s.
pid_t fork_into(const Group& group) {
    if (group.unified_fd() < 0) return fork();
    CloneArguments arguments{};
    arguments.flags = kCloneIntoGroup;
    arguments.exit_signal = SIGCHLD;
    arguments.cgroup = static_cast<uint64_t>(group.unified_fd());
    return static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
}

}  // namespace

const char* name_of(Stage stage) {
    switch (stage) {
        case Stage::prepare:
            return "prepare";
        case Stage::fork:
            return "fork";
        case Stage::pin:
            return "pin";
        case Stage::execute:
            return "execute";
    }
    return "?";
}

Launched launch(const Settings& settings, const Group& group) {
    Launched launched;
    const Pipe out, err, trouble;
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (!out.is_open() || !err.is_open() || !trouble.is_open() || nothing < 0) {
        launched.error = errno;
        return launched;
    }
    const pid_t supervisor = getpid();
    launched.pid = fork_into(group);
    if (launched.pid == 0)
        become(settings, group, supervisor, nothing, out.ends[1], err.ends[1], trouble.ends[1]);
    if (launched.pid < 0) {
        launched.error = errno;
        launched.stage = Stage::fork;
    }
    close(nothing);
    close(out.ends[1]);
    close(err.ends[1]);
    close(trouble.ends[1]);
    Trouble met{};
    if (launched.pid > 0 && read(trouble.ends[0], &met, sizeof met) == sizeof met) {
        launched.error = met.error;
        launched.stage = met.stage;
    }
    close(trouble.ends[0]);
    launched.out = out.ends[0];
    launched.err = err.ends[0];
    fcntl(launched.out, F_SETFL, O_NONBLOCK);
    fcntl(launched.err, F_SETFL, O_NONBLOCK);
    return launched;
}

}  // namespace supervise
