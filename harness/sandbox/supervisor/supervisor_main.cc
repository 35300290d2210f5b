// This is the only program of ours that runs inside sandboxes. It runs as a supervisor
// (supervisor.h), or as the fork server of a jail (fork_server_process.h). supervisor_protocol.h
// describes its arguments.
#include <cstring>

#include "sandbox/supervisor/fork_server_process.h"
#include "sandbox/supervisor/supervisor.h"
#include "sandbox/supervisor/supervisor_protocol.h"

int main(int argc, char** argv) {
  namespace sandbox = warpcheck::sandbox;
  if (argc == 2 && std::strcmp(argv[1], sandbox::kForkServerWord) == 0)
    return sandbox::RunForkServer({});
  sandbox::Orders orders;
  if (!sandbox::ReadOrders(argc, argv, orders)) return 2;
  return sandbox::RunSupervisor(orders);
}
