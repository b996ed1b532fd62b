#include "tree.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

namespace supervise {

namespace {

// A foreign process never becomes our descendant, so it is not read again. Its pid may be reused by a
// descendant, but the kernel hands out pids in turn: not within a second.
constexpr int64_t kForeignFor_ns = 1'000'000'000;

enum class Kinship { descendant, foreign, unknown };

}  // namespace

Tree::Tree() : proc_(opendir("/proc")), self_(getpid()) {}

Tree::~Tree() {
    if (proc_ != nullptr) closedir(proc_);
}

bool Tree::can_look() {
    constexpr int kSpare = 8;  // pipes of the target, the driver's pidfd, files of /proc
    int opened[kSpare];
    int n = 0;
    while (n < kSpare && (opened[n] = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)) >= 0) ++n;
    const int error = errno;
    for (int i = 0; i < n; ++i) close(opened[i]);
    errno = error;
    return n == kSpare;
}

void Tree::reap(pid_t pid, int64_t cpu_ns, int64_t peak_bytes) {
    reaped_.insert(pid);
    members_.erase(pid);
    reaped_ns_ += cpu_ns;
    peak_bytes_ = std::max(peak_bytes_, peak_bytes);
    // Not added to the sum of the last look: that may include children which this process has reaped since.
    most_ns_ = std::max(most_ns_, reaped_ns_ + unclaimed_ns_);
}

void Tree::look(int64_t now_ns) {
    Members now = descendants(read_unknown(now_ns));
    // The children_ns of all processes were read above; own_ns is read here. A process that is gone by now
    // may or may not be in its parent's children_ns: it is left out, so that it cannot count twice.
    for (auto entry = now.begin(); entry != now.end();) {
        const std::optional<int64_t> own_ns = read_cpu_ns(entry->first);
        entry->second.own_ns = own_ns.value_or(0);
        entry = own_ns ? std::next(entry) : now.erase(entry);
    }
    judge_vanished(now);
    note_vanished(now);
    members_ = std::move(now);
    reaped_.clear();
    memory_bytes_ = 0;
    for (const auto& [pid, member] : members_) memory_bytes_ += member.memory_bytes;
    peak_bytes_ = std::max(peak_bytes_, memory_bytes_);
    sum_up();
}

Tree::Members Tree::read_unknown(int64_t now_ns) {
    if (now_ns >= forget_at_ns_) {
        foreign_.clear();
        forget_at_ns_ = now_ns + kForeignFor_ns;
    }
    Members seen;
    if (proc_ == nullptr) return seen;
    rewinddir(proc_);
    while (const dirent* entry = readdir(proc_)) {
        const pid_t pid = static_cast<pid_t>(std::atoi(entry->d_name));
        if (pid <= 0 || pid == self_ || foreign_.contains(pid)) continue;
        if (const std::optional<Member> member = read_member(pid)) seen.emplace(pid, *member);
    }
    return seen;
}

Tree::Members Tree::descendants(const Members& seen) {
    const auto kinship = [&](pid_t pid) {
        for (size_t steps = 0; steps <= seen.size(); ++steps) {
            if (pid == self_) return Kinship::descendant;
            if (pid == 0 || foreign_.contains(pid)) return Kinship::foreign;
            const auto found = seen.find(pid);
            // Its parent started or ended during the read: the next look will decide.
            if (found == seen.end()) return Kinship::unknown;
            pid = found->second.parent;
        }
        return Kinship::unknown;
    };
    Members ours;
    for (const auto& [pid, member] : seen) {
        const Kinship kin = kinship(member.parent);
        if (kin == Kinship::descendant) ours.emplace(pid, member);
        if (kin == Kinship::foreign) foreign_.insert(pid);
    }
    return ours;
}

void Tree::judge_vanished(const Members& now) {
    std::unordered_map<pid_t, int64_t> lost_ns;
    for (const Vanished& gone : vanished_) lost_ns[gone.parent.pid] += gone.total_ns;
    for (const Vanished& gone : vanished_) {
        const auto parent = now.find(gone.parent.pid);
        if (parent == now.end() || !parent->second.is_same_as(gone.parent)) continue;
        const int64_t claimed_ns = parent->second.children_ns - gone.parent.children_ns;
        const int64_t rounding_ns = 2 * tick_ns();  // user and system time are truncated separately
        unclaimed_ns_ += std::max<int64_t>(0, lost_ns[gone.parent.pid] - claimed_ns - rounding_ns);
        lost_ns[gone.parent.pid] = 0;
    }
    vanished_.clear();
}

void Tree::note_vanished(const Members& now) {
    for (const auto& [pid, member] : members_) {
        const auto present = now.find(pid);
        const bool is_here = present != now.end() && present->second.is_same_as(member);
        const auto parent = members_.find(member.parent);
        if (is_here || reaped_.contains(pid) || parent == members_.end()) continue;
        vanished_.push_back({parent->second, member.total_ns()});
    }
}

void Tree::sum_up() {
    int64_t total_ns = reaped_ns_ + unclaimed_ns_;
    for (const auto& [pid, member] : members_) total_ns += member.total_ns();
    most_ns_ = std::max(most_ns_, total_ns);
}

void Tree::signal(int number) const {
    for (const auto& [pid, member] : members_)
        if (member.is_alive()) signal_member(member, number);
}

bool Tree::exceeds(int64_t limit_bytes) const {
    if (memory_bytes_ <= limit_bytes) return false;
    int64_t share_bytes = 0;
    for (const auto& [pid, member] : members_) share_bytes += read_share_bytes(member);
    return share_bytes > limit_bytes;
}

bool Tree::wants_cpu() const {
    return std::any_of(members_.begin(), members_.end(),
                       [](const auto& entry) { return supervise::wants_cpu(entry.second); });
}

int Tree::threads() const {
    int n = 0;
    for (const auto& [pid, member] : members_) n += member.threads;
    return n;
}

int Tree::alive() const {
    return static_cast<int>(std::count_if(members_.begin(), members_.end(),
                                          [](const auto& entry) { return entry.second.is_alive(); }));
}

}  // namespace supervise
