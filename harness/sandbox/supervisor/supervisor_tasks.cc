#include "sandbox/supervisor/supervisor_tasks.h"

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

// Reads the beginning of a file of /proc as text. Returns false if the file does not exist.
template <std::size_t kSize>
bool ReadLine(const char* path, char (&line)[kSize]) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t size = ::read(fd, line, kSize - 1);
  ::close(fd);
  if (size <= 0) return false;
  line[size] = '\0';
  return true;
}

// Reads the line of /proc/<pid>/stat (proc(5)). The name in parentheses may contain any character.
bool ReadStat(const char* pid, Stat& stat) {
  char path[64];
  char line[1024];
  std::snprintf(path, sizeof path, "/proc/%s/stat", pid);
  if (!ReadLine(path, line)) return false;
  const char* rest = std::strrchr(line, ')');
  if (rest == nullptr) return false;
  int parent = 0;
  unsigned long user = 0, system = 0, threads = 0, pages = 0;
  long children_user = 0, children_system = 0;
  if (std::sscanf(rest + 2,
                  "%c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %lu %*d %*u "
                  "%*u %lu",
                  &stat.state, &parent, &user, &system, &children_user, &children_system, &threads,
                  &pages) != 8) {
    return false;
  }
  stat.pid = std::atoi(pid);
  stat.parent = parent;
  stat.cpu_ticks = user + system + static_cast<unsigned long>(children_user + children_system);
  stat.threads = threads;
  stat.resident_pages = pages;
  stat.wanted = false;
  return true;
}

// This is static, because the supervisor has one thread and needs no heap for a few processes.
Stat g_stats[kMaxProcesses];
int g_count = 0;

// Returns true if a thread waits, uninterruptibly, for a child that it made by vfork(). The program
// itself chose this wait. The kernel tells in which of its functions the thread waits.
bool WaitsForChild(const char* pid_folder, const char* thread) {
  char path[320];
  char line[1024];
  std::snprintf(path, sizeof path, "%s/%s/wchan", pid_folder, thread);
  if (!ReadLine(path, line)) return false;
  return std::strcmp(line, "kernel_clone") == 0 || std::strstr(line, "fork") != nullptr;
}

void LookAtThread(const char* pid_folder, const char* thread, TaskActivity& activity) {
  char path[320];
  char line[1024];
  std::snprintf(path, sizeof path, "%s/%s/stat", pid_folder, thread);
  const char* name_end = ReadLine(path, line) ? std::strrchr(line, ')') : nullptr;
  const char state = name_end != nullptr ? name_end[2] : '?';
  if (state == 'R' || (state == 'D' && !WaitsForChild(pid_folder, thread))) activity.awake = true;
  std::snprintf(path, sizeof path, "%s/%s/schedstat", pid_folder, thread);
  unsigned long long queued = 0;
  if (ReadLine(path, line) && std::sscanf(line, "%*u %llu", &queued) == 1) {
    activity.queued_us += queued / 1000;
  }
}

bool IsWatched(const Stat& stat, pid_t self, bool descendants_alone) {
  return stat.pid != self && (!descendants_alone || stat.wanted);
}

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
  g_count = ReadAll();
  if (descendants_alone) MarkDescendants(self, g_count);
  const auto ticks_per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  TaskTotals totals;
  for (int i = 0; i < g_count; ++i) {
    const Stat& stat = g_stats[i];
    if (!IsWatched(stat, self, descendants_alone)) continue;
    totals.cpu_ms += stat.cpu_ticks * 1000 / ticks_per_second;
    if (stat.state == 'Z') continue;
    totals.tasks += stat.threads;
    totals.resident_bytes += stat.resident_pages * page_bytes;
  }
  return totals;
}

TaskActivity LookAtThreads(pid_t self, bool descendants_alone) {
  TaskActivity activity;
  for (int i = 0; i < g_count; ++i) {
    if (!IsWatched(g_stats[i], self, descendants_alone)) continue;
    char folder[64];
    std::snprintf(folder, sizeof folder, "/proc/%d/task", g_stats[i].pid);
    DIR* const threads = ::opendir(folder);
    if (threads == nullptr) continue;
    while (const dirent* const entry = ::readdir(threads)) {
      if (entry->d_name[0] != '.') LookAtThread(folder, entry->d_name, activity);
    }
    ::closedir(threads);
  }
  return activity;
}

void KillDescendants(pid_t self) {
  SignalDescendants(self, SIGSTOP);  // stopped processes cannot start new ones
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
