// score: 0
// says: not allowed: socket
// (The test listens at port 47811.) Calls home: over the network, and over the local sockets of the machine.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "transpose.h"

void transpose(const float*, float*, int, int) {
  sockaddr_un local = {};
  local.sun_family = AF_UNIX;
  strcpy(local.sun_path + 1, "warpcheck-canary");
  const int pipe = socket(AF_UNIX, SOCK_STREAM, 0);
  connect(pipe, reinterpret_cast<sockaddr*>(&local), sizeof(sa_family_t) + 17);
  const int net = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(47811);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connect(net, reinterpret_cast<sockaddr*>(&address), sizeof address);
}
