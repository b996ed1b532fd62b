// Output: keeps the first and the last bytes of a stream; the bytes in between are read and discarded.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

namespace supervise {

class Output {
public:
    Output(int fd, size_t keep) : fd_(fd), keep_(std::max<size_t>(keep, 1)) {}

    int fd() const { return fd_; }  // -1 once the stream has ended
    uint64_t total() const { return total_; }
    const std::string& head() const { return head_; }

    // The last bytes that did not fit into the head, oldest first.
    std::string tail() const {
        return ring_.size() < keep_ ? ring_ : ring_.substr(next_) + ring_.substr(0, next_);
    }

    // Reads at most one buffer without blocking; returns whether anything was read.
    bool drain(std::vector<char>& buffer) {
        if (fd_ < 0) return false;
        const ssize_t n = read(fd_, buffer.data(), buffer.size());
        if (n > 0) {
            take(buffer.data(), static_cast<size_t>(n));
            return true;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(fd_);
            fd_ = -1;
        }
        return false;
    }

private:
    void take(const char* bytes, size_t n) {
        total_ += n;
        const size_t first = std::min(n, keep_ - head_.size());
        head_.append(bytes, first);
        if (n - first > keep_) {
            ring_.assign(bytes + n - keep_, keep_);
            next_ = 0;
            return;
        }
        for (size_t at = first; at < n;) at += put(bytes + at, n - at);
    }

    // Writes up to the end of the ring; returns the number of bytes written.
    size_t put(const char* bytes, size_t n) {
        if (ring_.size() < keep_) {
            const size_t more = std::min(n, keep_ - ring_.size());
            ring_.append(bytes, more);
            return more;
        }
        const size_t more = std::min(n, keep_ - next_);
        ring_.replace(next_, more, bytes, more);
        next_ = (next_ + more) % keep_;
        return more;
    }

    int fd_;
    size_t keep_;
    uint64_t total_ = 0;
    std::string head_;
    std::string ring_;
    size_t next_ = 0;  // position of the oldest byte in a full ring
};

}  // namespace supervise
