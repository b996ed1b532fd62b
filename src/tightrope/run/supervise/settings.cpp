#include "settings.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace supervise {

namespace {

[[noreturn]] void refuse(const char* word) {
    std::fprintf(stderr, "tightrope-supervise: cannot read %s; tightrope starts this program, not the user\n",
                 word);
    std::exit(2);
}

double number(const std::string& text, const char* word) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= 0)) refuse(word);
    return value;
}

int64_t nanoseconds(double seconds) {
    return seconds < 9e9 ? static_cast<int64_t>(std::ceil(seconds * static_cast<double>(kSecond))) : kNever;
}

std::vector<int> integers(const std::string& text, const char* word) {
    std::vector<int> found;
    for (size_t from = 0; from < text.size();) {
        const size_t comma = std::min(text.find(',', from), text.size());
        found.push_back(static_cast<int>(number(text.substr(from, comma - from), word)));
        from = comma + 1;
    }
    return found;
}

std::string* find_path(std::string_view key, Settings& settings) {
    if (key == "group") return &settings.group;
    if (key == "unified") return &settings.unified;
    if (key == "cpuacct") return &settings.cpuacct;
    if (key == "memory_group") return &settings.memory_group;
    if (key == "pids_group") return &settings.pids_group;
    if (key == "freezer") return &settings.freezer;
    return nullptr;
}

void read_word(const char* word, Settings& settings) {
    const std::string_view view(word);
    const size_t sign = view.find('=');
    if (sign == view.npos) refuse(word);
    const std::string_view key = view.substr(0, sign);
    const std::string value(view.substr(sign + 1));
    if (key == "clock" && (value == "cpu" || value == "wall"))
        settings.clock = value == "cpu" ? Clock::cpu : Clock::wall;
    else if (key == "cap")
        settings.cap_ns = nanoseconds(number(value, word));
    else if (key == "guard")
        settings.guard_ns = nanoseconds(number(value, word));
    else if (key == "grace")
        settings.grace_ns = nanoseconds(number(value, word));
    else if (key == "memory")
        settings.memory_bytes = static_cast<int64_t>(number(value, word));
    else if (key == "keep")
        settings.keep_bytes = static_cast<size_t>(number(value, word));
    else if (key == "driver")
        settings.driver = static_cast<pid_t>(number(value, word));
    else if (key == "adopt")
        settings.adopted = static_cast<pid_t>(number(value, word));
    else if (key == "limits")
        settings.limits_fd = static_cast<int>(number(value, word));
    else if (key == "token")
        settings.token_bytes = static_cast<size_t>(number(value, word));
    else if (key == "processes")
        settings.most_processes = static_cast<int64_t>(number(value, word));
    else if (key == "memory_in_unified")
        settings.memory_in_unified = value == "1";
    else if (std::string* path = find_path(key, settings))
        *path = value;
    else if (key == "cores")
        settings.cores = integers(value, word);
    else
        refuse(word);
}

}  // namespace

Settings read_settings(int argc, char** argv) {
    Settings settings;
    int i = 1;
    while (i < argc && std::string_view(argv[i]) != "--") read_word(argv[i++], settings);
    if (settings.adopted > 0) return settings;
    if (i + 1 >= argc) refuse("a command line without a command");
    settings.command = argv + i + 1;
    return settings;
}

}  // namespace supervise
