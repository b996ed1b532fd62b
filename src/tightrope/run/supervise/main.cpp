// tightrope-supervise: runs one command, measures it, stops it at its cap, and leaves no process behind.
//
// Standard input comes from the driver: a byte means "stop the run", end of file means the driver is gone.
// Standard output takes one report: a line of key=value words, then the kept output of the target.
// With adopt=PID there is no command: a process forked the child PID, then executed this program.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "launch.hpp"
#include "settings.hpp"
#include "watch.hpp"

namespace {

using namespace supervise;

int open_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);  // an inherited SIG_IGN would let the kernel reap children unmeasured
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

std::string describe(const Watch& watch) {
    const int status = watch.status();
    const int code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    char line[512];
    std::snprintf(line, sizeof line,
                  "reason=%s code=%d cpu_ns=%lld wall_ns=%lld peak_bytes=%lld leftover=%d stubborn=%d"
                  " run=%lld"
                  " out_total=%llu out_head=%zu out_tail=%zu err_total=%llu err_head=%zu err_tail=%zu\n",
                  name_of(watch.reason()), code, static_cast<long long>(watch.cpu_ns()),
                  static_cast<long long>(watch.wall_ns()), static_cast<long long>(watch.tree().peak_bytes()),
                  watch.leftover(), watch.stubborn(), static_cast<long long>(watch.run_number()),
                  static_cast<unsigned long long>(watch.out().total()), watch.out().head().size(),
                  watch.out().tail().size(), static_cast<unsigned long long>(watch.err().total()),
                  watch.err().head().size(), watch.err().tail().size());
    return line + watch.out().head() + watch.out().tail() + watch.err().head() + watch.err().tail();
}

void report(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const ssize_t n = write(STDOUT_FILENO, text.data() + at, text.size() - at);
        if (n <= 0) return;  // the driver is gone
        at += static_cast<size_t>(n);
    }
}

int refuse(const Launched& launched) {
    report("reason=unstarted errno=" + std::to_string(launched.error) + " stage=" + name_of(launched.stage) +
           "\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const Settings settings = read_settings(argc, argv);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const int signals = open_signals();
    const int64_t start_ns = monotonic_ns();
    // Without descriptors for signals and /proc it could start a run, but neither watch nor end it.
    if (signals < 0 || !Tree::can_look()) return refuse({.error = errno});
    const Launched launched = settings.adopted > 0 ? Launched{settings.adopted} : launch(settings);
    if (launched.error != 0) return refuse(launched);
    Watch watch(settings, launched, signals, start_ns);
    watch.run();
    report(describe(watch));
    return 0;
}
