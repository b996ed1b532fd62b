// All living descendants of this process, found in /proc, and what they and the dead have used.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "member.hpp"

namespace supervise {

class Tree {
public:
    Tree();
    ~Tree();
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    // Looks at /proc. Processes that come and go meanwhile may be missed, but nothing is counted twice.
    void look(int64_t now_ns);

    // Takes in a child that we waited for, with everything that it had waited for itself.
    void reap(pid_t pid, int64_t cpu_ns, int64_t peak_bytes);

    // Sends a signal to all that the last look found.
    void signal(int number) const;

    int64_t cpu_ns() const { return most_ns_; }  // of all, the dead included
    int64_t peak_bytes() const { return peak_bytes_; }
    bool exceeds(int64_t limit_bytes) const;
    bool wants_cpu() const;  // whether anyone runs or waits for a core
    int threads() const;
    int alive() const;

private:
    using Members = std::unordered_map<pid_t, Member>;

    // One that is gone and was not ours to wait for. Whether its parent waited for it shows in the parent's
    // account, but only one look later, because /proc is not read in one instant.
    struct Vanished {
        Member parent;  // as it was before
        int64_t total_ns;
    };

    Members read_unknown(int64_t now_ns);
    Members descendants(const Members& seen);
    void judge_vanished(const Members& now);
    void note_vanished(const Members& now);
    void sum_up();

    DIR* proc_;
    pid_t self_;
    int64_t forget_at_ns_ = 0;
    std::unordered_set<pid_t> foreign_;
    std::unordered_set<pid_t> reaped_;  // since the last look
    Members members_;
    std::vector<Vanished> vanished_;
    int64_t reaped_ns_ = 0;
    int64_t unclaimed_ns_ = 0;  // of those that nobody waited for, as far as we saw it
    int64_t most_ns_ = 0;
    int64_t memory_bytes_ = 0;
    int64_t peak_bytes_ = 0;
};

}  // namespace supervise
