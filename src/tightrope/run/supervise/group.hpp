// Group: a control group for one run, where the machine allows it. It counts all that ever ran in it, and
// ends it at once. Version 2 of control groups is one hierarchy; in version 1 each controller has its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "settings.hpp"

namespace supervise {

class Group {
public:
    // Creates a folder in every hierarchy that the settings name. On failure error() says why.
    explicit Group(const Settings& settings);
    ~Group();  // removes the folders; a group that still has processes stays
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    int error() const { return error_; }  // errno; 0 if all is well
    bool counts_cpu() const { return cpu_fd_ >= 0; }

    // For clone3: a descriptor of the folder of version 2; -1 without one.
    int unified_fd() const { return unified_fd_; }

    // Moves the calling process, which has one thread, into the groups of version 1; false if that fails.
    // Descriptors for this are open beforehand.
    bool enter() const;

    int64_t cpu_ns() const;          // of all that ever ran in it; 0 if not counted
    int64_t peak_bytes() const;      // 0 if not counted
    bool ran_out_of_memory() const;  // whether the kernel killed a process at the memory limit
    void kill() const;               // all processes at once, without a race against fork
    bool is_empty() const;

private:
    std::string add(const std::string& parent);
    void limit(const Settings& settings, const std::string& memory, const std::string& pids);

    std::string name_;
    std::vector<std::string> folders_;
    std::vector<int> tasks_fds_;  // of version 1
    std::string memory_;
    std::string freezer_;
    std::string members_;  // file with the processes of the group
    int unified_fd_ = -1;
    int kill_fd_ = -1;
    int cpu_fd_ = -1;
    bool is_unified_memory_ = false;
    int error_ = 0;
};

}  // namespace supervise
