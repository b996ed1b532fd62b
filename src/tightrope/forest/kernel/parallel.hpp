// Threads over independent pieces of work, and a way to stop them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace forest {

/// Thrown in workers when the caller requests a stop.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

/// Checks from time to time, on the caller's thread only, whether the caller requests a stop.
class Stop {
public:
    /// `requested` returns whether to stop; it is called on the constructing thread.
    explicit Stop(std::function<bool()> requested) : requested_(std::move(requested)) {}

    /// Counts work done (about a nanosecond per unit) and throws Stopped if a stop was requested.
    void check_after(size_t work) {
        if (flag_.load(std::memory_order_relaxed)) throw Stopped{};
        if (std::this_thread::get_id() != caller_) return;
        work_ += work;
        if (work_ < kWorkBetweenChecks) return;
        work_ = 0;
        check();
    }
    void check() {
        if (!requested_()) return;
        flag_ = true;
        throw Stopped{};
    }
    void request() { flag_ = true; }

private:
    static constexpr size_t kWorkBetweenChecks = 50'000'000;
    std::function<bool()> requested_;
    std::thread::id caller_ = std::this_thread::get_id();
    std::atomic<bool> flag_{false};
    size_t work_ = 0;
};

/// Calls work(i) for i = 0 .. n - 1; the calling thread takes part. The first exception ends all work and is
/// rethrown.
template <class Work>
void parallel(size_t n, int threads, Stop& stop, Work work) {
    const size_t helpers = std::min(n, static_cast<size_t>(std::max(threads, 1))) - (n > 0);
    std::atomic<size_t> next{0};
    std::mutex mutex;
    std::condition_variable finished;
    std::exception_ptr failure;
    size_t running = 0;
    const auto take = [&] {
        try {
            for (size_t i; (i = next++) < n;) work(i);
        } catch (...) {
            {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
            }
            next = n;
            stop.request();
        }
    };
    const auto help = [&] {
        take();
        const std::lock_guard lock(mutex);
        --running;
        finished.notify_one();
    };
    std::vector<std::jthread> pool;
    pool.reserve(helpers);
    for (size_t t = 0; t < helpers; ++t) {
        {
            const std::lock_guard lock(mutex);
            ++running;
        }
        try {
            pool.emplace_back(help);
        } catch (const std::system_error&) {  // the system starts no more threads: use those there are
            const std::lock_guard lock(mutex);
            --running;
            break;
        }
    }
    take();
    std::unique_lock lock(mutex);
    while (running > 0) {
        finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; });
        if (running == 0 || failure) continue;
        lock.unlock();
        try {
            stop.check();
        } catch (...) {
            next = n;
            lock.lock();
            failure = std::current_exception();
            continue;
        }
        lock.lock();
    }
    lock.unlock();
    pool.clear();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace forest
