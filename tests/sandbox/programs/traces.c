#define _GNU_SOURCE
#include "traces.h"

#include <fcntl.h>
#include <ftw.h>
#include <mqueue.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { kKey = 4711, kBytes = 4096 };

// Uses an abstract socket, whose name belongs to the network.
static int Socket(int (*use)(int, const struct sockaddr*, socklen_t)) {
  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0left"};
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  const socklen_t size = offsetof(struct sockaddr_un, sun_path) + sizeof "\0left" - 1;
  if (fd < 0 || use(fd, (const struct sockaddr*)&name, size) != 0) return 0;
  listen(fd, 1);
  return 1;
}

static int Locks(void) {
  const int program = open("/program", O_RDONLY);
  return program < 0 ? 3 : flock(program, LOCK_EX | LOCK_NB) == 0;
}

static int FillsTmp(void) {
  static char block[1 << 14];
  for (int files = 0; files < 64; ++files) {
    char path[32];
    snprintf(path, sizeof path, "/tmp/fill%d", files);
    const int next = open(path, O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i < 32; ++i) {
      if (write(next, block, sizeof block) < (long)sizeof block) return 1;
    }
  }
  return 3;
}

// Starts as many processes as its limit allows, so that another program's limit may not count them.
static int StartsProcesses(void) {
  for (int i = 0; i < 12; ++i) {
    const int child = fork();
    if (child < 0) return 0;
    if (child == 0) {
      for (;;) pause();
    }
  }
  return 1;
}

int Leaves(const char* kind) {
  if (strcmp(kind, "file") == 0) return open("/tmp/left", O_CREAT | O_WRONLY, 0600) >= 0;
  if (strcmp(kind, "full /tmp") == 0) return FillsTmp();
  if (strcmp(kind, "shared memory") == 0) return shmget(kKey, kBytes, IPC_CREAT | 0600) >= 0;
  if (strcmp(kind, "semaphore") == 0) return semget(kKey, 1, IPC_CREAT | 0600) >= 0;
  if (strcmp(kind, "messages") == 0) return msgget(kKey, IPC_CREAT | 0600) >= 0;
  if (strcmp(kind, "queue") == 0) return mq_open("/left", O_CREAT | O_RDWR, 0600, NULL) >= 0;
  if (strcmp(kind, "socket") == 0) return Socket(&bind);
  if (strcmp(kind, "stdin") == 0) return fcntl(0, F_SETFL, O_NONBLOCK) == 0;
  if (strcmp(kind, "lock") == 0) return Locks();
  if (strcmp(kind, "processes") == 0) return StartsProcesses();
  if (strcmp(kind, "host name") == 0) return sethostname("left", 4) == 0;
  if (strcmp(kind, "mount") == 0) return mount("none", "/tmp", "tmpfs", 0, NULL) == 0;
  if (strcmp(kind, "no mount") == 0) return umount2("/tmp", MNT_DETACH) == 0;
  return 3;
}

int Finds(const char* kind) {
  if (strcmp(kind, "file") == 0) return access("/tmp/left", F_OK) == 0;
  if (strcmp(kind, "full /tmp") == 0) return !Leaves("file") || access("/tmp/fill0", F_OK) == 0;
  if (strcmp(kind, "shared memory") == 0) return shmget(kKey, 0, 0) >= 0;
  if (strcmp(kind, "semaphore") == 0) return semget(kKey, 0, 0) >= 0;
  if (strcmp(kind, "messages") == 0) return msgget(kKey, 0) >= 0;
  if (strcmp(kind, "queue") == 0) return mq_open("/left", O_RDONLY) >= 0;
  if (strcmp(kind, "socket") == 0) return Socket(&connect);
  if (strcmp(kind, "stdin") == 0) return (fcntl(0, F_GETFL) & O_NONBLOCK) != 0;
  if (strcmp(kind, "lock") == 0) return !Locks();
  if (strcmp(kind, "processes") == 0) return !StartsProcesses();
  return 3;
}
