// hostile <harm> [argument ...]: tries it. hostile --fork-server: a jail whose programs are
// copies of it.
#include <cstring>

#include "sandbox/supervisor.h"
#include "sandbox/supervisor_protocol.h"

extern "C" int Hostile(int argc, char** argv);

int main(int argc, char** argv) {
  namespace sandbox = warpcheck::sandbox;
  if (argc == 2 && std::strcmp(argv[1], sandbox::kForkServerWord) == 0) {
    return sandbox::BeForkServer({.path = argv[0], .main = &Hostile});
  }
  return Hostile(argc, argv);
}
