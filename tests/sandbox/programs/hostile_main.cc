// hostile <harm> [argument ...]: tries it. hostile --keeper: a room whose programs are copies of
// it.
#include <cstring>

#include "sandbox/warden_keeper.h"
#include "sandbox/warden_protocol.h"

extern "C" int Hostile(int argc, char** argv);

int main(int argc, char** argv) {
  namespace sandbox = warpcheck::sandbox;
  if (argc == 2 && std::strcmp(argv[1], sandbox::kKeeperWord) == 0) {
    return sandbox::BeKeeper({.path = argv[0], .main = &Hostile});
  }
  return Hostile(argc, argv);
}
