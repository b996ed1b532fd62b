// tightrope-supervise: runs one command, measures it, stops it at its cap, and leaves no process behind.
//
// Standard input comes from the driver: first a secret token; the token again means "stop the run", end of
// file means the driver is gone. Standard output takes one report: a line of key=value words that begins with
// the token, then the kept output of the target. With adopt=PID there is no command: a process forked the
// child PID, then executed this program.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "group.hpp"
#include "launch.hpp"
#include "machine.hpp"
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

// Only this program and the driver know the token: what others write into the pipe is no report.
std::string head_of(const Settings& settings) {
    return settings.token.empty() ? "" : "token=" + settings.token + " ";
}

bool read_token(Settings& settings) {
    settings.token.resize(settings.token_bytes);
    for (size_t at = 0; at < settings.token_bytes;) {
        const ssize_t n = read(STDIN_FILENO, settings.token.data() + at, settings.token_bytes - at);
        if (n == 0 || (n < 0 && errno != EINTR)) return false;
        if (n > 0) at += static_cast<size_t>(n);
    }
    return true;
}

std::string describe(const Settings& settings, const Watch& watch) {
    const int status = watch.status();
    const int code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    char line[640];
    std::snprintf(line, sizeof line,
                  "%sreason=%s code=%d cpu_ns=%lld wall_ns=%lld peak_bytes=%lld leftover=%d stubborn=%d"
                  " run=%lld"
                  " out_total=%llu out_head=%zu out_tail=%zu err_total=%llu err_head=%zu err_tail=%zu\n",
                  head_of(settings).c_str(), name_of(watch.reason()), code,
                  static_cast<long long>(watch.cpu_ns()), static_cast<long long>(watch.wall_ns()),
                  static_cast<long long>(watch.peak_bytes()), watch.leftover(), watch.stubborn(),
                  static_cast<long long>(watch.run_number()),
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

int refuse(const Settings& settings, const Launched& launched) {
    report(head_of(settings) + "reason=unstarted errno=" + std::to_string(launched.error) +
           " stage=" + name_of(launched.stage) + "\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Settings settings = read_settings(argc, argv);
    // Processes of the same user, such as the target, can neither trace this one nor open its descriptors.
    prctl(PR_SET_DUMPABLE, 0);
    if (!read_token(settings)) return 0;  // the driver is gone
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const int signals = open_signals();
    const int64_t start_ns = monotonic_ns();
    // Without descriptors for signals and /proc it could start a run, but neither watch nor end it.
    if (signals < 0 || !Tree::can_look()) return refuse(settings, {.error = errno});
    const Group group(settings);
    if (group.error() != 0) return refuse(settings, {.error = group.error()});
    const Launched launched = settings.adopted > 0 ? Launched{settings.adopted} : launch(settings, group);
    if (launched.error != 0) return refuse(settings, launched);
    Watch watch(settings, group, launched, signals, start_ns);
    watch.run();
    report(describe(settings, watch));
    close(STDOUT_FILENO);  // the driver need not wait until the group is removed
    return 0;
}
