#include "sandbox/warden_tasks.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warpcheck::sandbox {
namespace {

constexpr int kMaxProcesses = 16384;

struct Stat {
  std::uint64_t cpu_ticks, threads, resident_pages;
  pid_t pid;
  pid_t parent;
  char state;
  bool wanted;
};

// One line of /proc/<pid>/stat (proc(5)); the name in parentheses may hold anything.
bool ReadStat(const char* pid, Stat& stat) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%s/stat", pid);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char line[1024];
  const ssize_t size = ::read(fd, line, sizeof line - 1);
  ::close(fd);
  if (size <= 0) return false;
  line[size] = '\0';
  const char* rest = std::strrchr(line, ')');
  if (rest == nullptr) return false;
  int parent = 0;
  unsigned long user = 0, system = 0, threads = 0, pages = 0;
  if (std::sscanf(rest + 2,
                  "%c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %lu %*d %*u "
                  "%*u %lu",
                  &stat.state, &parent, &user, &system, &threads, &pages) != 6) {
    return false;
  }
  stat.pid = std::atoi(pid);
  stat.parent = parent;
  stat.cpu_ticks = user + system;
  stat.threads = threads;
  stat.resident_pages = pages;
  stat.wanted = false;
  return true;
}

// The warden has one thread and no need of a heap for its few processes.
Stat g_stats[kMaxProcesses];

int ReadAll() {
  DIR* const directory = ::opendir("/proc");
  if (directory == nullptr) return 0;
  int count = 0;
  while (const dirent* const entry = ::readdir(directory)) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || count == kMaxProcesses) continue;
    if (ReadStat(entry->d_name, g_stats[count])) ++count;
  }
  ::closedir(directory);
  return count;
}

void MarkDescendants(pid_t self, int count) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < count; ++i) {
      if (g_stats[i].wanted || g_stats[i].pid == self) continue;
      bool child = g_stats[i].parent == self;
      for (int j = 0; j < count && !child; ++j) {
        child = g_stats[j].wanted && g_stats[j].pid == g_stats[i].parent;
      }
      if (child) changed = g_stats[i].wanted = true;
    }
  }
}

int SignalDescendants(pid_t self, int signal) {
  const int count = ReadAll();
  MarkDescendants(self, count);
  int alive = 0;
  for (int i = 0; i < count; ++i) {
    if (!g_stats[i].wanted || g_stats[i].state == 'Z') continue;
    ++alive;
    ::kill(g_stats[i].pid, signal);
  }
  return alive;
}

}  // namespace

TaskTotals SumTasks(pid_t self, bool descendants_alone) {
  const int count = ReadAll();
  if (descendants_alone) MarkDescendants(self, count);
  const auto ticks_per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  TaskTotals totals;
  for (int i = 0; i < count; ++i) {
    const Stat& stat = g_stats[i];
    if (stat.pid == self || stat.state == 'Z' || (descendants_alone && !stat.wanted)) continue;
    totals.tasks += stat.threads;
    totals.resident_bytes += stat.resident_pages * page_bytes;
    const std::uint64_t cpu_ms = stat.cpu_ticks * 1000 / ticks_per_second;
    if (cpu_ms > totals.longest_cpu_ms) totals.longest_cpu_ms = cpu_ms;
  }
  return totals;
}

void KillDescendants(pid_t self) {
  SignalDescendants(self, SIGSTOP);  // so that nothing new is started meanwhile
  SignalDescendants(self, SIGSTOP);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const int alive = SignalDescendants(self, SIGKILL);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (alive == 0) return;
    ::usleep(1000);
  }
}

}  // namespace warpcheck::sandbox
