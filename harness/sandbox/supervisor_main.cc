// The one program that runs inside sandboxes before the untrusted: a supervisor (supervisor.h), or
// the fork server of a jail (fork_server_process.cc). Its arguments: supervisor_protocol.h.
#include <cstring>

#include "sandbox/supervisor.h"
#include "sandbox/supervisor_protocol.h"

int main(int argc, char** argv) {
  namespace sandbox = warpcheck::sandbox;
  if (argc == 2 && std::strcmp(argv[1], sandbox::kForkServerWord) == 0)
    return sandbox::BeForkServer({});
  sandbox::Orders orders;
  if (!sandbox::ReadOrders(argc, argv, orders)) return 2;
  return sandbox::BeSupervisor(orders);
}
