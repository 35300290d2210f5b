// This program does what the host code of a submission may do. All of it must work under the filter
// of system calls.
#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <locale>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

void Require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

void Threads() {
  std::atomic<int> sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&sum, i] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      sum += i;
    });
  }
  for (std::thread& thread : threads) thread.join();
  Require(sum == 6, "threads");
  Require(std::async(std::launch::async, [] { return 42; }).get() == 42, "async");
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock lock(mutex);
  Require(changed.wait_for(lock, std::chrono::milliseconds(1)) == std::cv_status::timeout, "wait");
  Require(std::thread::hardware_concurrency() > 0, "processors");
}

void Files() {
  const fs::path folder = "/tmp/honest";
  fs::create_directories(folder / "deep");
  std::ofstream(folder / "one") << "text " << 1 << '\n';
  fs::copy_file(folder / "one", folder / "two");
  fs::rename(folder / "two", folder / "deep/three");
  std::ifstream in(folder / "deep/three");
  std::string word;
  int number = 0;
  in >> word >> number;
  Require(word == "text" && number == 1, "a file");
  Require(fs::file_size(folder / "one") == 7, "a file's size");
  fs::resize_file(folder / "one", 3);
  fs::permissions(folder / "one", fs::perms::owner_read);
  int entries = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) entries += entry.exists();
  Require(entries == 3, "a folder");
  std::FILE* const file = std::tmpfile();
  Require(file != nullptr && std::fputs("x", file) >= 0 && std::fclose(file) == 0, "tmpfile");
  fs::remove_all(folder);
}

void Memory() {
  std::vector<char> large(std::size_t{64} << 20, 'x');
  large.resize(std::size_t{96} << 20);
  Require(large.back() == '\0' && large.front() == 'x', "memory");
}

void Facts() {
  rlimit limit = {};
  Require(::getrlimit(RLIMIT_STACK, &limit) == 0, "a limit");
  Require(std::random_device()() != std::random_device()() || true, "random numbers");
  (void)::getpwuid(::getuid());  // this asks services that do not exist here
  (void)::getgrgid(::getgid());
  (void)std::getenv("HOME");
  std::cout << std::locale().name() << ' '
            << std::chrono::system_clock::now().time_since_epoch().count() << '\n';
}

volatile std::sig_atomic_t caught = 0;

void Processes() {
  std::signal(SIGUSR1, [](int) { caught = 1; });
  std::raise(SIGUSR1);
  Require(caught == 1, "a signal");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(7);
  int status = 0;
  Require(::waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7, "a child");
  Require(std::system("echo from the shell") == 0, "the shell");
}

}  // namespace

int main() {
  try {
    Threads();
    Files();
    Memory();
    Facts();
    Processes();
  } catch (const std::exception& failed) {
    std::cerr << "failed: " << failed.what() << '\n';
    return 1;
  }
  std::cout << "all done" << std::endl;
}
