// score: 0
// says: not allowed: socket
// The program connects to the network and to local sockets of the machine, where the test listens.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "transpose.h"

static void call_locally(const char* name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path + 1, name);
  connect(socket(AF_UNIX, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&address), sizeof(sa_family_t) + 1 + strlen(name));
}

static void call(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connect(socket(AF_INET, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&address), sizeof address);
}

void transpose(const float*, float*, int, int) {
  for (const char* name : {"warpcheck-canary", "warpcheck-canary-of-user"}) call_locally(name);
  for (int port : {47811, 47812}) call(port);
}
