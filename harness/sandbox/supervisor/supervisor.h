// The supervisor is the first process in the namespaces of one program. It starts the untrusted
// program under its limits, watches it and all that it starts, and reports its end
// (supervisor_protocol.h). When it ends, so does everything else: as the first process of a
// namespace it takes the others down, and otherwise it kills them. It uses the C library only.
#pragma once

#include <cstdint>

namespace warpcheck::sandbox {

struct Orders {
  int control, inherited, image, filter;
  std::uint64_t cpu_seconds, memory_bytes, processes, file_bytes, descriptors;
  bool owns_namespace;
  const char* directory;
  char** environment;  // with a null pointer at its end, like `arguments`
  char** arguments;
};

// Splits a supervisor's arguments in place. argv[0] is not one of them; argv[argc] is a null
// pointer. The environment moves one place down, to make room for its null pointer. Returns false
// if something is missing.
bool ReadOrders(int argc, char** argv, Orders& orders);

// A program that is loaded in this process and can be started without exec. It is identified by its
// path, and `main` takes and returns what main() does.
struct LoadedProgram {
  const char* path = nullptr;  // null if there is none
  int (*main)(int, char**) = nullptr;
};

// Runs the supervisor to its end and returns its exit status.
int RunSupervisor(const Orders& orders, const LoadedProgram& loaded = {});

}  // namespace warpcheck::sandbox
