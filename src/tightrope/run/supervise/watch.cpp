#include "watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "children.hpp"
#include "machine.hpp"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace supervise {

namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kShortestNap = 2 * kMillisecond;
constexpr int64_t kLongestNap = 100 * kMillisecond;
constexpr int64_t kMemoryNap = 20 * kMillisecond;  // memory can grow fast
constexpr int64_t kClose = 10 * kMillisecond;      // to the cap: a group lags behind by up to a tick
constexpr int64_t kKillNap = kMillisecond;
constexpr int64_t kPatience = 6;  // times the guard: the longest run on a machine with free cores
constexpr int64_t kGiveUpAfter = 10 * kSecond;
constexpr size_t kBufferBytes = 1 << 16;
constexpr size_t kLargestPipeBytes = 1 << 20;

int64_t nanoseconds(const timeval& time) {
    return time.tv_sec * kSecond + time.tv_usec * 1000;
}

int64_t later(int64_t start_ns, int64_t by_ns) {
    return by_ns > kNever - start_ns ? kNever : start_ns + by_ns;
}

}  // namespace

Watch::Watch(const Settings& settings, const Group& group, const Launched& launched, int signals,
             int64_t start_ns)
    : settings_(settings),
      group_(group),
      target_(launched.pid),
      signals_(signals),
      start_ns_(start_ns),
      limits_{0, settings.cap_ns, settings.guard_ns},
      limits_fd_(settings.limits_fd),
      driver_(static_cast<int>(syscall(SYS_pidfd_open, settings.driver, 0))),
      out_(launched.out, settings.keep_bytes),
      err_(launched.err, settings.keep_bytes),
      buffer_(kBufferBytes),
      n_cores_(count_cores(settings.cores)),
      sampled_ns_(start_ns) {}

void Watch::run() {
    if (limits_fd_ >= 0) fcntl(limits_fd_, F_SETFL, O_NONBLOCK);
    reap();
    due_ns_ = later(start_ns_, until_next_sample_ns(start_ns_));
    while (!childless_ || !group_.is_empty()) {
        const int64_t now_ns = monotonic_ns();
        act(now_ns);
        if (phase_ == Phase::killing && now_ns >= deadline_ns_) {
            stubborn_ = std::max(1, tree_.alive());
            break;
        }
        await_events();
    }
    if (phase_ == Phase::running) read_limits();
    settle_group();
    if (!target_ended_) ended_ns_ = monotonic_ns();
    // Read what the pipes still hold, but no more: a process outside the tree may hold them and keep writing.
    for (Output* output : {&out_, &err_})
        for (size_t n = 0; n < kLargestPipeBytes && output->drain(buffer_);) n += kBufferBytes;
}

// Reaps all children that have ended. As subreaper we adopt every orphan: no child means no descendant.
void Watch::reap() {
    int status = 0;
    rusage usage{};
    pid_t pid;
    while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        tree_.reap(pid, nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
                   usage.ru_maxrss * INT64_C(1024));
        if (pid != target_) continue;
        target_ended_ = true;
        status_ = status;
        ended_ns_ = monotonic_ns();
    }
    childless_ = pid < 0 && errno == ECHILD;
}

void Watch::act(int64_t now_ns) {
    if (phase_ == Phase::running && target_ended_) {
        read_limits();  // it may have ended in a run whose start was not yet read
        tree_.look(now_ns);
        leftover_ = tree_.alive();
        begin_killing(now_ns);
    }
    if (phase_ == Phase::terminating && now_ns >= deadline_ns_) begin_killing(now_ns);
    if (now_ns < due_ns_) return;
    if (phase_ == Phase::running) sample(now_ns);
    if (phase_ == Phase::killing) kill_all(now_ns);
}

void Watch::sample(int64_t now_ns) {
    const int64_t before_ns = counted_ns();
    group_ns_ = group_.cpu_ns();
    if (must_look(now_ns, counted_ns() - before_ns)) {
        tree_.look(now_ns);
        look_ns_ = later(now_ns, kSecond);
    }
    count_idle_time(now_ns, counted_ns() - before_ns);
    if (used_ns(now_ns) >= limits_.cap_ns)
        stop(Reason::cap, now_ns);
    else if (tree_.exceeds(settings_.memory_bytes) || group_.ran_out_of_memory())
        stop(Reason::memory, now_ns);
    else if (idle_ns_ >= limits_.guard_ns)
        stop(Reason::guard, now_ns);
    else if (hides_time(now_ns))
        stop(Reason::hidden, now_ns);
    else
        due_ns_ = later(now_ns, until_next_sample_ns(now_ns));
}

// A look at the tree costs time for every process of the machine. A group tells for less that the run works
// and is far from its cap; only at the end the tree is needed, which is exact for processes that are running.
bool Watch::must_look(int64_t now_ns, int64_t worked_ns) const {
    if (!group_.counts_cpu() || settings_.memory_bytes < INT64_MAX || now_ns >= look_ns_) return true;
    const bool may_sleep = limits_.guard_ns < kNever && worked_ns < (now_ns - sampled_ns_) / 2;
    const bool has_grown = worked_ns > parallelism() * (now_ns - sampled_ns_);
    return may_sleep || has_grown || limits_.cap_ns - used_ns(now_ns) < parallelism() * kClose;
}

// A tree that waits for a core on a busy machine is slow, but not asleep.
void Watch::count_idle_time(int64_t now_ns, int64_t worked_ns) {
    const bool may_sleep = !group_.counts_cpu() || worked_ns < (now_ns - sampled_ns_) / 2;
    if (limits_.guard_ns < kNever && may_sleep && !tree_.wants_cpu())
        idle_ns_ += std::max<int64_t>(0, now_ns - sampled_ns_ - worked_ns);
    sampled_ns_ = now_ns;
}

// A group counts all that ever ran in it, but a process that is running only up to the last tick.
int64_t Watch::counted_ns() const {
    return std::max(tree_.cpu_ns(), group_ns_);
}

// Whether a tree that is never idle has used far less CPU time than has passed, though cores were to be had:
// then there is time that nothing accounts for, such as that of children whose parent ignores SIGCHLD.
bool Watch::hides_time(int64_t now_ns) const {
    if (settings_.clock != Clock::cpu || limits_.guard_ns >= kNever / kPatience) return false;
    const int64_t patience_ns = kPatience * limits_.guard_ns;
    if (group_.counts_cpu() || now_ns - start_ns_ < patience_ns) return false;
    return static_cast<double>(now_ns - start_ns_) >= crowding() * static_cast<double>(patience_ns);
}

// All that ran is over, so the group's count is exact; the tree's may include what a process lost unmeasured.
void Watch::settle_group() {
    group_ns_ = group_.cpu_ns();
    if (!group_.ran_out_of_memory()) return;
    group_peak_bytes_ = group_.peak_bytes();
    if (reason_ == Reason::exited) reason_ = Reason::memory;
}

int64_t Watch::used_ns(int64_t now_ns) const {
    return settings_.clock == Clock::cpu ? cpu_ns() : now_ns - start_ns_;
}

// The cap cannot be reached before all threads, each on its own core, have used the remaining time. New
// threads may start meanwhile: the estimate assumes twice as many, and every nap is short.
int64_t Watch::parallelism() const {
    return std::clamp(2 * tree_.threads(), 1, n_cores_);
}

int64_t Watch::until_next_sample_ns(int64_t now_ns) const {
    const int64_t parallel = settings_.clock == Clock::cpu ? parallelism() : 1;
    const int64_t remaining_ns = limits_.cap_ns - used_ns(now_ns);
    const int64_t guard_ns = limits_.guard_ns - idle_ns_;
    const bool between_runs = settings_.limits_fd >= 0 && limits_.run_number == 0;
    const int64_t watchful_ns = between_runs ? kSecond : kLongestNap;
    const int64_t longest_ns = settings_.memory_bytes < INT64_MAX ? kMemoryNap : watchful_ns;
    const int64_t shortest_ns = settings_.clock == Clock::cpu ? kShortestNap : 0;
    return std::clamp(std::min(remaining_ns / parallel, guard_ns), shortest_ns, longest_ns);
}

// Sends SIGTERM to all; SIGCONT wakes stopped processes so that they receive it.
void Watch::stop(Reason reason, int64_t now_ns) {
    if (phase_ != Phase::running) return;
    reason_ = reason;
    tree_.look(now_ns);
    tree_.signal(SIGTERM);
    tree_.signal(SIGCONT);
    phase_ = Phase::terminating;
    deadline_ns_ = later(now_ns, settings_.grace_ns);
    due_ns_ = deadline_ns_;
}

// The target is not at fault, and perhaps no driver is left to read the report: no grace.
void Watch::abandon(int64_t now_ns) {
    reason_ = Reason::driver;
    if (phase_ != Phase::killing) begin_killing(now_ns);
}

void Watch::begin_killing(int64_t now_ns) {
    phase_ = Phase::killing;
    due_ns_ = now_ns;
    deadline_ns_ = now_ns + kGiveUpAfter;
}

// New processes may be forked during the look, so this repeats until no child is left.
void Watch::kill_all(int64_t now_ns) {
    group_.kill();
    tree_.look(now_ns);
    tree_.signal(SIGKILL);
    kill_children([this] { reap(); });
    due_ns_ = now_ns + kKillNap;
}

void Watch::await_events() {
    const int64_t wake_ns = phase_ == Phase::running ? due_ns_ : std::min(due_ns_, deadline_ns_);
    const int64_t nap_ns = std::clamp<int64_t>(wake_ns - monotonic_ns(), 0, kSecond);
    const timespec nap{nap_ns / kSecond, nap_ns % kSecond};
    const bool is_driven = reason_ != Reason::driver;
    pollfd fds[] = {{signals_, POLLIN, 0},
                    {is_driven ? STDIN_FILENO : -1, POLLIN, 0},
                    {is_driven ? driver_ : -1, POLLIN, 0},
                    {out_.fd(), POLLIN, 0},
                    {err_.fd(), POLLIN, 0},
                    {limits_fd_, POLLIN, 0}};
    if (ppoll(fds, 6, &nap, nullptr) <= 0) return;
    if (fds[3].revents != 0) out_.drain(buffer_);
    if (fds[4].revents != 0) err_.drain(buffer_);
    if (fds[5].revents != 0) read_limits();
    if (fds[0].revents != 0) read_signals();
    if (fds[1].revents != 0) read_driver();
    if (fds[2].revents != 0) abandon(monotonic_ns());
}

void Watch::read_driver() {
    char words[64];
    const ssize_t n = read(STDIN_FILENO, words, sizeof words);
    if (n > 0) {
        heard_.append(words, static_cast<size_t>(n));
        if (heard_.ends_with(settings_.token)) return stop(Reason::cancelled, monotonic_ns());
        if (heard_.size() > settings_.token.size()) heard_.erase(0, heard_.size() - settings_.token.size());
        return;
    }
    if (n < 0 && errno == EINTR) return;
    abandon(monotonic_ns());
}

// An adopted child announces its runs. Once a run is being stopped, later announcements are ignored: the
// report names the run that was stopped.
void Watch::read_limits() {
    if (limits_fd_ < 0) return;
    RunLimits received;
    ssize_t n;
    while ((n = read(limits_fd_, &received, sizeof received)) == static_cast<ssize_t>(sizeof received))
        if (phase_ == Phase::running) begin_run(received);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    close(limits_fd_);
    limits_fd_ = -1;
}

void Watch::begin_run(const RunLimits& limits) {
    const int64_t now_ns = monotonic_ns();
    tree_.look(now_ns);
    limits_ = limits;
    group_ns_ = group_.cpu_ns();
    before_ns_ = counted_ns();
    start_ns_ = now_ns;
    idle_ns_ = 0;
    sampled_ns_ = now_ns;
    due_ns_ = later(now_ns, until_next_sample_ns(now_ns));
}

void Watch::read_signals() {
    signalfd_siginfo received;
    while (read(signals_, &received, sizeof received) == sizeof received)
        if (received.ssi_signo != SIGCHLD) abandon(monotonic_ns());  // for example, the machine shuts down
    reap();
}

}  // namespace supervise
