#include "group.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace supervise {

namespace {

constexpr int kRemovals = 5000;  // attempts: the kernel takes a moment to forget the last process
constexpr useconds_t kPause_us = 200;
constexpr int kFreezes = 50;  // times to look whether a group is frozen

std::string read_all(int fd) {
    std::string text;
    char buffer[4096];
    for (off_t at = 0;;) {
        const ssize_t n = pread(fd, buffer, sizeof buffer, at);
        if (n <= 0) return text;
        text.append(buffer, static_cast<size_t>(n));
        at += n;
    }
}

std::string read_file(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return "";
    std::string text = read_all(fd);
    close(fd);
    return text;
}

bool write_fd(int fd, const std::string& text) {
    return write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool write_file(const std::string& path, const std::string& text) {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool written = write_fd(fd, text);
    const int error = errno;
    close(fd);
    errno = error;
    return written;
}

// The number after a key at the beginning of a line; 0 without it.
int64_t number_after(const std::string& text, const char* key) {
    const size_t size = std::strlen(key);
    for (size_t at = 0; at != std::string::npos && at < text.size();) {
        if (text.compare(at, size, key) == 0) return std::atoll(text.c_str() + at + size);
        at = text.find('\n', at);
        if (at != std::string::npos) ++at;
    }
    return 0;
}

void kill_members(const std::string& members) {
    for (const char* at = members.c_str(); *at != '\0';) {
        char* end = nullptr;
        const pid_t pid = static_cast<pid_t>(std::strtol(at, &end, 10));
        if (end == at) return;
        if (pid > 0) ::kill(pid, SIGKILL);
        at = end;
    }
}

}  // namespace

Group::Group(const Settings& settings) : name_(settings.group) {
    if (name_.empty()) return;
    const std::string unified = add(settings.unified);
    const std::string cpuacct = add(settings.cpuacct);
    const std::string memory = add(settings.memory_group);
    const std::string pids = add(settings.pids_group);
    freezer_ = add(settings.freezer);
    if (error_ != 0) return;
    if (!unified.empty()) {
        unified_fd_ = open(unified.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        kill_fd_ = open((unified + "/cgroup.kill").c_str(), O_WRONLY | O_CLOEXEC);
        cpu_fd_ = open((unified + "/cpu.stat").c_str(), O_RDONLY | O_CLOEXEC);
        members_ = unified + "/cgroup.procs";
        if (unified_fd_ < 0 || cpu_fd_ < 0) error_ = errno;
    }
    if (!cpuacct.empty()) {
        cpu_fd_ = open((cpuacct + "/cpuacct.usage").c_str(), O_RDONLY | O_CLOEXEC);
        members_ = cpuacct + "/cgroup.procs";
        if (cpu_fd_ < 0) error_ = errno;
    }
    for (const std::string& folder : folders_) {
        if (folder == unified) continue;
        tasks_fds_.push_back(open((folder + "/tasks").c_str(), O_WRONLY | O_CLOEXEC));
        if (tasks_fds_.back() < 0) error_ = errno;
        if (members_.empty()) members_ = folder + "/cgroup.procs";
    }
    is_unified_memory_ = memory.empty() && settings.memory_in_unified;
    memory_ = is_unified_memory_ ? unified : memory;
    limit(settings, memory_, pids.empty() ? unified : pids);
}

std::string Group::add(const std::string& parent) {
    if (parent.empty() || error_ != 0) return "";
    const std::string folder = parent + "/" + name_;
    if (mkdir(folder.c_str(), 0755) != 0) {
        error_ = errno;
        return "";
    }
    folders_.push_back(folder);
    return folder;
}

// The memory limit covers what no process maps, such as files in memory; swap does not extend it.
void Group::limit(const Settings& settings, const std::string& memory, const std::string& pids) {
    if (!memory.empty() && settings.memory_bytes < INT64_MAX) {
        const std::string bytes = std::to_string(settings.memory_bytes);
        const std::string name = is_unified_memory_ ? "/memory.max" : "/memory.limit_in_bytes";
        if (!write_file(memory + name, bytes)) error_ = errno;
        const std::string swap = is_unified_memory_ ? "/memory.swap.max" : "/memory.memsw.limit_in_bytes";
        write_file(memory + swap, is_unified_memory_ ? "0" : bytes);  // absent where swap is not counted
        if (is_unified_memory_) write_file(memory + "/memory.oom.group", "1");
    }
    if (!pids.empty() && settings.most_processes > 0)
        if (!write_file(pids + "/pids.max", std::to_string(settings.most_processes))) error_ = errno;
}

Group::~Group() {
    for (const int fd : {unified_fd_, kill_fd_, cpu_fd_})
        if (fd >= 0) close(fd);
    for (const int fd : tasks_fds_) close(fd);
    for (const std::string& folder : folders_)
        for (int n = 0; n < kRemovals && rmdir(folder.c_str()) != 0 && errno == EBUSY; ++n) usleep(kPause_us);
}

bool Group::enter() const {
    for (const int fd : tasks_fds_)
        if (!write_fd(fd, "0")) return false;
    return true;
}

int64_t Group::cpu_ns() const {
    if (cpu_fd_ < 0) return 0;
    const std::string text = read_all(cpu_fd_);
    return unified_fd_ >= 0 ? number_after(text, "usage_usec ") * 1000 : std::atoll(text.c_str());
}

int64_t Group::peak_bytes() const {
    if (memory_.empty()) return 0;
    const char* name = is_unified_memory_ ? "/memory.peak" : "/memory.max_usage_in_bytes";
    return std::atoll(read_file(memory_ + name).c_str());
}

bool Group::ran_out_of_memory() const {
    if (memory_.empty()) return false;
    const char* name = is_unified_memory_ ? "/memory.events" : "/memory.oom_control";
    return number_after(read_file(memory_ + name), "oom_kill ") > 0;
}

void Group::kill() const {
    if (folders_.empty()) return;
    if (kill_fd_ >= 0 && write_fd(kill_fd_, "1")) return;
    if (!freezer_.empty() && write_file(freezer_ + "/freezer.state", "FROZEN"))
        for (int n = 0; n < kFreezes && read_file(freezer_ + "/freezer.state") != "FROZEN\n"; ++n)
            usleep(kPause_us);
    kill_members(read_file(members_));
    if (!freezer_.empty()) write_file(freezer_ + "/freezer.state", "THAWED");
}

bool Group::is_empty() const {
    return members_.empty() || read_file(members_).empty();
}

}  // namespace supervise
