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

/// Thrown inside workers when the caller wants to stop.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

/// Asks the caller now and then, on the caller's thread only, whether to go on.
class Stop {
public:
    /// `asked` says whether the caller wants to stop; it is called on the constructing thread.
    explicit Stop(std::function<bool()> asked) : asked_(std::move(asked)) {}

    /// Counts work done (about a nanosecond a unit) and throws Stopped when the caller wants to stop.
    void after(size_t work) {
        if (flag_.load(std::memory_order_relaxed)) throw Stopped{};
        if (std::this_thread::get_id() != caller_) return;
        work_ += work;
        if (work_ < kWorkBetweenQuestions) return;
        work_ = 0;
        ask();
    }
    void ask() {
        if (!asked_()) return;
        flag_ = true;
        throw Stopped{};
    }
    void request() { flag_ = true; }

private:
    static constexpr size_t kWorkBetweenQuestions = 50'000'000;
    std::function<bool()> asked_;
    std::thread::id caller_ = std::this_thread::get_id();
    std::atomic<bool> flag_{false};
    size_t work_ = 0;
};

/// Calls work(i) for i = 0 .. n - 1; the calling thread takes part. The first exception ends all and is
/// thrown on.
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
        } catch (const std::system_error&) {  // no more threads to be had: go on with those there are
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
            stop.ask();
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
