// The kept part of an output stream does not depend on the pieces in which it arrives.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../kernel/check.hpp"
#include "output.hpp"

namespace {

constexpr size_t kKeep = 10;

std::string letters(size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) text += static_cast<char>('a' + i * i % 26);
    return text;
}

// Feeds a text through a pipe, one piece at a time.
supervise::Output fed(const std::string& text, size_t piece) {
    int ends[2];
    CHECK(pipe2(ends, O_NONBLOCK) == 0);
    supervise::Output output(ends[0], kKeep);
    std::vector<char> buffer(1000);
    for (size_t at = 0; at < text.size(); at += piece) {
        const size_t n = std::min(piece, text.size() - at);
        CHECK(write(ends[1], text.data() + at, n) == static_cast<ssize_t>(n));
        CHECK(output.drain(buffer));
    }
    close(ends[1]);
    CHECK(!output.drain(buffer));
    return output;
}

TEST(head_and_tail_are_the_same_for_all_pieces) {
    for (size_t n = 0; n < 60; ++n) {
        const std::string text = letters(n);
        const std::string rest = text.substr(std::min(n, kKeep));
        for (size_t piece = 1; piece <= 60; ++piece) {
            const supervise::Output output = fed(text, piece);
            CHECK(output.total() == n);
            CHECK(output.head() == text.substr(0, kKeep));
            CHECK(output.tail() == rest.substr(rest.size() - std::min(rest.size(), kKeep)));
        }
    }
}

TEST(a_stream_that_has_nothing_yet_stays_open) {
    int ends[2];
    CHECK(pipe2(ends, O_NONBLOCK) == 0);
    supervise::Output output(ends[0], kKeep);
    std::vector<char> buffer(10);
    CHECK(!output.drain(buffer));
    CHECK(output.fd() == ends[0]);
    close(ends[1]);
    CHECK(!output.drain(buffer));
    CHECK(output.fd() == -1);
}

}  // namespace
