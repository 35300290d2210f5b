// The supervisor is the first process in the namespaces of one program. It starts the untrusted
// program under its limits, watches it and all that it starts, and reports its end
// (supervisor_protocol.h). When it ends, everything else ends too: the kernel ends the other
// processes of a namespace with the first one, and without a namespace the supervisor kills them.
// It uses only the C library.
#pragma once

#include <cstdint>

namespace warpcheck::sandbox {

struct Orders {
  int control, inherited, image, filter;
  std::uint64_t cpu_seconds, memory_bytes, processes, file_bytes, descriptors;
  bool owns_namespace;
  const char* directory;
  char** environment;  // ends with a null pointer, like `arguments`
  char** arguments;
};

// Splits a supervisor's arguments in place. argv[0] does not belong to them; argv[argc] is a null
// pointer. The environment moves one place down, to make room for its null pointer. Returns false
// if something is missing.
bool ReadOrders(int argc, char** argv, Orders& orders);

// A program that is loaded in this process and can be started without exec. Its path identifies it.
// `main` takes the arguments of a program's main function, and returns its exit status.
struct LoadedProgram {
  const char* path = nullptr;  // null if there is no such program
  int (*main)(int, char**) = nullptr;
};

// Runs the supervisor to its end and returns its exit status.
int RunSupervisor(const Orders& orders, const LoadedProgram& loaded = {});

}  // namespace warpcheck::sandbox
