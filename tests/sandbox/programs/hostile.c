// Tries the harm that its first argument names. Exits with 0 if the harm was refused and with 1 if
// it was done, unless a limit ends it first.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "traces.h"

extern char** environ;

static void* Sleep(void* unused) {
  for (;;) pause();
  return unused;
}

static int Flood(int fd) {
  char block[4096];
  memset(block, 'x', sizeof block);
  for (;;) {
    if (write(fd, block, sizeof block) < 0) return 2;
  }
}

// Keeps the compiler from removing the block.
static void Use(void* block) { __asm__ volatile("" ::"r"(block) : "memory"); }

static int Touch(void) {
  for (;;) {
    char* block = malloc(1 << 20);
    if (block == NULL) abort();
    memset(block, 1, 1 << 20);
    Use(block);
  }
}

// Touches half of the limit in each of several processes.
static int TouchInProcesses(void) {
  for (int i = 0; i < 4; ++i) {
    if (fork() != 0) continue;
    char* block = malloc(96 << 20);
    if (block != NULL) memset(block, 1, 96 << 20);
    Use(block);
    for (;;) pause();
  }
  for (;;) pause();
}

static int Loop(void) {
  for (volatile int i = 0;; i = i + 1) {
  }
}

// Starts processes that run for a tenth of a second each. If `hidden`, their end is reported to no
// one.
static int LoopInProcesses(int hidden) {
  if (hidden) signal(SIGCHLD, SIG_IGN);
  for (;;) {
    if (fork() == 0) {
      alarm(1);
      while (clock() < CLOCKS_PER_SEC / 10) {
      }
      _exit(0);
    }
    wait(NULL);
  }
}

static void* LoopInThread(void* unused) {
  Loop();
  return unused;
}

static int LoopInThreads(void) {
  pthread_t thread;
  for (int i = 0; i < 4; ++i) pthread_create(&thread, NULL, LoopInThread, NULL);
  for (;;) pause();
}

static int Nap(void) {
  for (;;) usleep(20000);
}

// Makes as many pipes as it can, each as large and as full as possible. Prints how many bytes they
// hold.
static int FillPipes(void) {
  static char block[1 << 20];
  long held = 0;
  int ends[2];
  while (pipe(ends) == 0) {
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    for (long put; (put = write(ends[1], block, sizeof block)) > 0;) held += put;
  }
  printf("%ld\n", held);
  return 0;
}

static int ForkBomb(void) {
  for (;;) {
    if (fork() < 0) usleep(1000);
  }
}

static int ThreadBomb(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 16);
  for (;;) {
    pthread_t thread;
    if (pthread_create(&thread, &small, Sleep, NULL) != 0) usleep(1000);
  }
}

static int HugeFile(void) {
  const int file = open("/tmp/huge", O_CREAT | O_WRONLY, 0600);
  if (file < 0) return 3;
  return Flood(file);
}

static int Reads(const char* path) { return open(path, O_RDONLY) >= 0; }

static int Writes(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/warpcheck_planted", folder);
  return open(path, O_CREAT | O_WRONLY, 0600) >= 0;
}

static int Connects(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  return fd >= 0 && connect(fd, (struct sockaddr*)&address, sizeof address) == 0;
}

// Prints all process ids but its own and the supervisor's.
static int SeesOthers(void) {
  DIR* const proc = opendir("/proc");
  if (proc == NULL) return 3;
  int others = 0;
  for (struct dirent* entry; (entry = readdir(proc)) != NULL;) {
    const int pid = atoi(entry->d_name);
    if (pid > 1 && pid != getpid()) ++others;
  }
  return others != 0;
}

static int ListDescriptors(void) {
  for (int fd = 0; fd < 4096; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) printf("%d ", fd);
  }
  return 0;
}

// Signals and traces the supervisor, which is its parent.
static int AttacksSupervisor(void) {
  kill(getppid(), SIGKILL);
  kill(getppid(), SIGSTOP);
  kill(1, SIGKILL);
  if (ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0) return 1;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", getppid());
  return open(path, O_RDWR) >= 0;
}

// Makes a system call with the arguments that follow its number. Returns 0 if it is refused, 2 if
// it does not exist.
static int Calls(int argc, char** argv) {
  long values[6] = {0};
  for (int i = 0; i < 6 && 3 + i < argc; ++i) values[i] = strtol(argv[3 + i], NULL, 0);
  const long result = syscall(strtol(argv[2], NULL, 0), values[0], values[1], values[2], values[3],
                              values[4], values[5]);
  if (result >= 0) return 1;
  return errno == ENOSYS ? 2 : 0;
}

// Calls getpid by its number on 32-bit machines.
static int CallsAs32Bit(void) {
  long result = 20;
  __asm__ volatile("int $0x80" : "+a"(result) : : "r8", "r9", "r10", "r11", "memory");
  return result > 0;
}

// Leaves a process behind that has cut every tie, and that writes to a file now and then.
static int Survive(const char* path) {
  if (fork() != 0) {
    for (int i = 0; i < 200 && access(path, F_OK) != 0; ++i) usleep(10000);
    return 0;
  }
  setsid();
  if (fork() != 0) _exit(0);
  for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
  for (int fd = 0; fd < 16; ++fd) close(fd);
  for (;;) {
    const int file = open(path, O_CREAT | O_WRONLY | O_APPEND, 0666);
    if (file < 0 || write(file, "x", 1) < 0) _exit(1);
    close(file);
    usleep(2000);
  }
}

// Like Survive(), but writes to a descriptor of the judge.
static int SurviveOn3(void) {
  int told[2];
  char byte = 'x';
  if (pipe(told) != 0) return 3;
  if (fork() != 0) return read(told[0], &byte, 1) != 1;
  setsid();
  if (fork() != 0) _exit(0);
  for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
  while (write(3, "x", 1) == 1 && write(told[1], "x", 1) == 1) usleep(2000);
  _exit(1);
}

// Sends the judge a byte, answers it, and keeps running.
static int Stays(int done) {
  char byte = 'x';
  if (done != 1) return done;
  while (write(3, &byte, 1) == 1 && read(3, &byte, 1) == 1) {
  }
  for (;;) pause();
}

static int g_changed;

static int Change(const char* path, const struct stat* status, int type, struct FTW* place) {
  (void)place;
  if (strcmp(path, "/proc") == 0 || strcmp(path, "/tmp") == 0) return FTW_SKIP_SUBTREE;
  const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
  const int mode_changed = type != FTW_SL && chmod(path, status->st_mode ^ 0001) == 0;
  if (mode_changed || utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0) {
    g_changed += printf("%s\n", path);
  }
  return strcmp(path, "/usr") == 0 ? FTW_SKIP_SUBTREE : FTW_CONTINUE;
}

// Changes the modes and times of everything visible outside of /tmp and /proc, and prints what it
// could change.
static int ChangesShared(void) {
  return nftw("/", &Change, 64, FTW_PHYS | FTW_ACTIONRETVAL) != 0 ? 3 : g_changed != 0;
}

// Signals every process it can think of, and itself last.
static int KillsAround(void) {
  for (int pid = 1; pid < 400; ++pid) {
    if (pid != getpid()) kill(pid, SIGKILL);
  }
  for (int group = 2; group < 400; ++group) {
    if (group != getpgrp()) kill(-group, SIGKILL);
  }
  kill(-1, SIGKILL);
  kill(0, SIGKILL);
  return 0;
}

int Hostile(int argc, char** argv) {
  const char* const harm = argc > 1 ? argv[1] : "";
  const char* const argument = argc > 2 ? argv[2] : "";
  if (strcmp(harm, "exit") == 0) return atoi(argument);
  if (strcmp(harm, "raise") == 0) return raise(atoi(argument));
  if (strcmp(harm, "print") == 0) return fprintf(stderr, "err") + printf("out") - 6;
  if (strcmp(harm, "crash") == 0) return *(volatile int*)(size_t)(argc - 2 - (*argument != 0));
  if (strcmp(harm, "loop") == 0) return Loop();
  if (strcmp(harm, "loops_in_processes") == 0) return LoopInProcesses(*argument);
  if (strcmp(harm, "loops_in_threads") == 0) return LoopInThreads();
  if (strcmp(harm, "naps") == 0) return Nap();
  if (strcmp(harm, "vforks") == 0) {  // waits in the kernel until its child lets it go on
    if (vfork() == 0) {
      for (;;) pause();
    }
    return 0;
  }
  if (strcmp(harm, "stops_itself") == 0) return raise(SIGSTOP) + Nap();
  if (strcmp(harm, "pipes") == 0) return FillPipes();
  if (strcmp(harm, "sleep") == 0) return Sleep(NULL) != NULL;
  if (strcmp(harm, "memory") == 0) return Touch();
  if (strcmp(harm, "memory_in_processes") == 0) return TouchInProcesses();
  if (strcmp(harm, "forks") == 0) return ForkBomb();
  if (strcmp(harm, "threads") == 0) return ThreadBomb();
  if (strcmp(harm, "flood") == 0) return Flood(atoi(argument));
  if (strcmp(harm, "huge_file") == 0) return HugeFile();
  if (strcmp(harm, "read") == 0) return Reads(argument);
  if (strcmp(harm, "write") == 0) return Writes(argument);
  if (strcmp(harm, "connect") == 0) return Connects(atoi(argument));
  if (strcmp(harm, "see") == 0) return SeesOthers();
  if (strcmp(harm, "descriptors") == 0) return ListDescriptors();
  if (strcmp(harm, "supervisor") == 0) return AttacksSupervisor();
  if (strcmp(harm, "survive") == 0) return Survive(argument);
  if (strcmp(harm, "survive_on_3") == 0) return SurviveOn3();
  if (strcmp(harm, "leave") == 0) return Leaves(argument);
  if (strcmp(harm, "find") == 0) return Finds(argument);
  if (strcmp(harm, "leave_and_find") == 0) return Leaves(argument) == 1 && Finds(argument) == 1;
  if (strcmp(harm, "leave_and_stay") == 0) return Stays(Leaves(argument));
  if (strcmp(harm, "change_shared") == 0) return ChangesShared();
  if (strcmp(harm, "kill_around") == 0) return KillsAround();
  if (strcmp(harm, "addresses") == 0) {
    printf("%p %p %p %p\n", (void*)&Hostile, (void*)&argc, malloc(1), malloc(1 << 20));
    return 0;
  }
  if (strcmp(harm, "namespace") == 0) return unshare(CLONE_NEWUSER) == 0;
  if (strcmp(harm, "call") == 0 && argc > 2) return Calls(argc, argv);
  if (strcmp(harm, "call32") == 0) return CallsAs32Bit();
  if (strcmp(harm, "reply") == 0) return write(3, "hello", 5) == 5 ? 0 : 1;
  if (strcmp(harm, "environment") == 0) {
    for (char** entry = environ; *entry != NULL; ++entry) printf("%s\n", *entry);
    return 0;
  }
  fprintf(stderr, "hostile: unknown harm %s\n", harm);
  return 99;
}
