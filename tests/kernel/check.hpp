// A minimal test harness that names the failed checks.
#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace check {

struct Test {
    std::string name;
    std::function<void()> body;
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}
inline int& failures() {
    static int n = 0;
    return n;
}

struct Register {
    Register(std::string name, std::function<void()> body) {
        tests().push_back({std::move(name), std::move(body)});
    }
};

inline void that(bool holds, const char* claim, const char* file, int line) {
    if (holds) return;
    ++failures();
    std::printf("%s:%d: not so: %s\n", file, line, claim);
}

inline bool close(double a, double b, double tolerance = 1e-12) {
    return std::abs(a - b) <= tolerance * std::max(1.0, std::max(std::abs(a), std::abs(b)));
}

/// Runs all tests; the closing line counts them.
inline int run() {
    int failed = 0;
    for (const Test& test : tests()) {
        const int before = failures();
        test.body();
        if (failures() == before) continue;
        ++failed;
        std::printf("FAILED %s\n", test.name.c_str());
    }
    std::printf("%d passed, %d failed\n", static_cast<int>(tests().size()) - failed, failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(claim) check::that((claim), #claim, __FILE__, __LINE__)
#define TEST(name)                                               \
    static void name();                                          \
    static const check::Register name##_registered(#name, name); \
    static void name()
