// Watch: supervises one run from its start until no process of it is left.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "group.hpp"
#include "launch.hpp"
#include "output.hpp"
#include "reason.hpp"
#include "settings.hpp"
#include "tree.hpp"

namespace supervise {

// Sent by an adopted child when a run begins; run_number is 0 when the run has ended.
struct RunLimits {
    int64_t run_number = 0;
    int64_t cap_ns = kNever;
    int64_t guard_ns = kNever;
};

class Watch {
public:
    Watch(const Settings& settings, const Group& group, const Launched& launched, int signals,
          int64_t start_ns);

    // Returns when no descendant is left, or the rest cannot be killed.
    void run();

    Reason reason() const { return reason_; }
    int status() const { return status_; }  // as waitpid gives it
    int64_t run_number() const { return limits_.run_number; }
    int64_t cpu_ns() const { return counted_ns() - before_ns_; }
    int64_t peak_bytes() const { return std::max(tree_.peak_bytes(), group_peak_bytes_); }
    int64_t wall_ns() const { return std::max<int64_t>(0, ended_ns_ - start_ns_); }
    int leftover() const { return leftover_; }  // processes alive when the target itself had ended
    int stubborn() const { return stubborn_; }  // processes that could not be killed
    const Output& out() const { return out_; }
    const Output& err() const { return err_; }

private:
    enum class Phase { running, terminating, killing };

    void reap();
    void act(int64_t now_ns);
    void sample(int64_t now_ns);
    bool must_look(int64_t now_ns, int64_t worked_ns) const;
    void count_idle_time(int64_t now_ns, int64_t worked_ns);
    void stop(Reason reason, int64_t now_ns);
    void abandon(int64_t now_ns);
    void begin_killing(int64_t now_ns);
    void kill_all(int64_t now_ns);
    int64_t parallelism() const;
    bool hides_time(int64_t now_ns) const;
    int64_t counted_ns() const;
    void settle_group();
    void await_events();
    void read_driver();
    void read_signals();
    void read_limits();
    void begin_run(const RunLimits& limits);
    int64_t used_ns(int64_t now_ns) const;
    int64_t until_next_sample_ns(int64_t now_ns) const;

    const Settings& settings_;
    const Group& group_;
    const pid_t target_;
    const int signals_;
    int64_t start_ns_;       // of the run
    int64_t before_ns_ = 0;  // CPU time used before the run
    RunLimits limits_;
    int limits_fd_;  // pipe with the next RunLimits; -1 if there is none
    int driver_;     // pidfd: readable once the driver is gone; -1 if not supported
    Tree tree_;
    Output out_, err_;
    std::vector<char> buffer_;
    const int n_cores_;
    Phase phase_ = Phase::running;
    Reason reason_ = Reason::exited;
    bool childless_ = false;
    std::string heard_;     // from the driver
    int64_t group_ns_ = 0;  // CPU time that the group has counted
    int64_t group_peak_bytes_ = 0;
    bool target_ended_ = false;
    int status_ = 0;
    int leftover_ = 0;
    int stubborn_ = 0;
    int64_t ended_ns_ = 0;
    int64_t sampled_ns_;
    int64_t look_ns_ = 0;      // time of the next look at the tree, where the group suffices meanwhile
    int64_t idle_ns_ = 0;      // time in which no process ran or waited for a core
    int64_t due_ns_ = 0;       // time of the next sample, or the next attempt to kill
    int64_t deadline_ns_ = 0;  // end of the grace period, or when to give up killing
};

}  // namespace supervise
