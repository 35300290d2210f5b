// `hostile <harm> [argument ...]` tries the harm. `hostile --fork-server` serves a jail whose
// programs are copies of it.
#include <cstring>

#include "sandbox/supervisor/fork_server_process.h"
#include "sandbox/supervisor/supervisor.h"
#include "sandbox/supervisor/supervisor_protocol.h"

extern "C" int Hostile(int argc, char** argv);

int main(int argc, char** argv) {
  namespace sandbox = warpcheck::sandbox;
  if (argc == 2 && std::strcmp(argv[1], sandbox::kForkServerWord) == 0) {
    return sandbox::RunForkServer({.path = argv[0], .main = &Hostile});
  }
  return Hostile(argc, argv);
}
