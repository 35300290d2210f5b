#include "cli/command_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/places.h"

namespace warpcheck {

std::string Digits(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? "" : text + " is no whole number below 2^64";
}

void AddCourseOptions(CLI::App& app) {
  app.add_option_function<std::string>(
         "--course",
         [](const std::string& course) {
           ::setenv("WARPCHECK_COURSE", std::filesystem::absolute(course).c_str(), 1);
         },
         "a course's folder, or a bundle of an assignment: is looked at first")
      ->type_name("DIR|FILE");
  app.add_option_function<std::string>(
         "--trust",
         [](const std::string& digest) { ::setenv("WARPCHECK_TRUST", digest.c_str(), 1); },
         "the SHA-256 of the bundle: it holds a program, which will run")
      ->type_name("SHA256");
}

int CommandAt(int argc, char** argv) {
  int at = 1;
  while (at < argc) {
    const std::string_view word = argv[at];
    if (word.starts_with("--course=") || word.starts_with("--trust=")) {
      at += 1;
    } else if (word == "--course" || word == "--trust") {
      at += 2;
    } else {
      break;
    }
  }
  return at;
}

int RunMain(int argc, char** argv, int (*run)(int, char**)) {
  try {
    return run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "error: warpcheck itself failed: %s\n", exception.what());
    return kExitFault;
  }
}

TerminalStyle StyleOf(int fd) {
  TerminalStyle style;
  const char* no_colour = std::getenv("NO_COLOR");
  style.colours = ::isatty(fd) == 1 && (no_colour == nullptr || *no_colour == '\0');
  struct winsize size = {};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = size.ws_col;
  }
  return style;
}

int Complain(const Error& error, int status) {
  fmt::print(stderr, "warpcheck: {}\n", error.Text());
  return status;
}

int StatusOf(const tl::expected<int, Stop>& end) {
  return end ? *end : Complain(end.error().error, end.error().status);
}

bool CanShowProgress() { return ::isatty(STDERR_FILENO) == 1; }

void ShowProgressLine(const std::string& line) {
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

}  // namespace warpcheck
