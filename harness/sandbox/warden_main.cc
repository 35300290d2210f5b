// The one program that runs inside sandboxes before the untrusted: a warden (warden.h), or the
// keeper of a room (warden_keeper.h). Its arguments: warden_protocol.h.
#include <cstring>

#include "sandbox/warden.h"
#include "sandbox/warden_keeper.h"
#include "sandbox/warden_protocol.h"

int main(int argc, char** argv) {
  namespace sandbox = warpcheck::sandbox;
  if (argc == 2 && std::strcmp(argv[1], sandbox::kKeeperWord) == 0) return sandbox::BeKeeper({});
  sandbox::Orders orders;
  if (!sandbox::ReadOrders(argc, argv, orders)) return 2;
  return sandbox::BeWarden(orders);
}
