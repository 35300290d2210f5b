#include "cli/command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/text.h"
#include "cli/exit_status.h"

namespace warpcheck {
namespace {

// Opens /dev/null for each of the three standard streams that is closed. Otherwise a file that is
// opened later could get its number.
void TakeClosedNumbers() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDONLY));
  }
}

// Returns `status`, or kExitFault if the output could not be written.
int WithAllWritten(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "error: not all of the output could be written: %s\n", std::strerror(errno));
  return kExitFault;
}

}  // namespace

std::string Digits(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? "" : text + " is not a whole number below 2^64";
}

std::string Decimal(const std::string& text) {
  const bool plain = text.find_first_not_of("0123456789.") == std::string::npos;
  double number = 0;
  return plain && CLI::detail::lexical_cast(text, number)
             ? ""
             : text + " is not a decimal number such as 17 or 17.5";
}

std::string UnknownCommand(const CLI::App& app, std::string_view word) {
  constexpr std::size_t kMostShown = 40;
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return {};
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  const std::string_view near = Nearest(word, names);
  return fmt::format("there is no command {}{}", word.substr(0, kMostShown),
                     near.empty() ? ": `warpcheck --help` lists them"
                                  : fmt::format(": did you mean `warpcheck {}`?", near));
}

void AddCourseOptions(CLI::App& app) {
  app.add_option_function<std::string>(
         "--course",
         [](const std::string& course) {
           ::setenv("WARPCHECK_COURSE", std::filesystem::absolute(course).c_str(), 1);
         },
         "a course's folder, or the bundle of an assignment, to look in first")
      ->type_name("DIR|FILE");
  app.add_option_function<std::string>(
         "--trust",
         [](const std::string& digest) { ::setenv("WARPCHECK_TRUST", digest.c_str(), 1); },
         "the SHA-256 that the bundle must have: it contains a program that will run here")
      ->type_name("SHA256");
}

void RefuseEmptyOptions(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    RefuseEmptyOptions(*command);
  }
  for (CLI::Option* option : app.get_options()) {
    const bool takes_text = !option->get_positional() && option->get_items_expected_max() > 0;
    if (!takes_text || option->check_lname("comment")) continue;
    option->check([](const std::string& text) {
      return text.empty() ? std::string("the text is empty") : std::string();
    });
  }
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
  TakeClosedNumbers();
  try {
    return WithAllWritten(run(argc, argv));
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "error: warpcheck itself failed: %s\n", exception.what());
    return kExitFault;
  }
}

}  // namespace warpcheck
