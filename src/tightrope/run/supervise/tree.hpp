// Tree: all living descendants of this process, read from /proc, and the resources that living and dead used.
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

    // Whether /proc can be read, with a few descriptors to spare; else errno says why.
    static bool can_look();

    // Reads /proc. Processes that start or end meanwhile may be missed, but nothing is counted twice.
    void look(int64_t now_ns);

    // Adds a reaped child; `cpu_ns` includes the children that it had waited for itself.
    void reap(pid_t pid, int64_t cpu_ns, int64_t peak_bytes);

    // Sends a signal to all processes that the last look found.
    void signal(int number) const;

    int64_t cpu_ns() const { return most_ns_; }  // of all processes, including dead ones
    int64_t peak_bytes() const { return peak_bytes_; }
    bool exceeds(int64_t limit_bytes) const;
    bool wants_cpu() const;  // whether any process is running or waiting for a core
    int threads() const;
    int alive() const;

private:
    using Members = std::unordered_map<pid_t, Member>;

    // A process that is gone, but is not our child. The parent's children_ns shows whether the parent waited
    // for it, but only one look later, because reading /proc is not atomic.
    struct Vanished {
        Member parent;  // as of the look before
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
    int64_t unclaimed_ns_ = 0;  // of processes that no parent waited for, as last sampled
    int64_t most_ns_ = 0;
    int64_t memory_bytes_ = 0;
    int64_t peak_bytes_ = 0;
};

}  // namespace supervise
