// The supervisor: the first process of the namespaces of one program. Starts the untrusted program
// under its limits, watches it and all that it starts, reports its end (supervisor_protocol.h), and
// takes everything down with itself: as the first process of its namespace by ending, otherwise by
// killing. C library only.
#pragma once

#include <cstdint>

namespace warpcheck::sandbox {

struct Orders {
  int control, inherited, image, filter;
  std::uint64_t cpu_seconds, memory_bytes, processes, file_bytes, descriptors;
  bool owns_namespace;
  const char* directory;
  char** environment;  // ended by a null pointer, like arguments
  char** arguments;
};

// Takes a supervisor's arguments apart in place: argv[0] is no part of them, argv[argc] is a null
// pointer. The environment is moved one place down, which makes room for its null pointer. False
// where something is missing.
bool ReadOrders(int argc, char** argv, Orders& orders);

// The program that this process is, where it can be started without being executed anew: by its
// path, with the arguments and the status that main has.
struct LoadedProgram {
  const char* path = nullptr;  // null: there is none
  int (*main)(int, char**) = nullptr;
};

// Until the end; gives the exit status of the supervisor.
int BeSupervisor(const Orders& orders, const LoadedProgram& loaded = {});

// The fork server: the first process of a jail. It holds no rights but to make namespaces, as
// any user may, and starts a supervisor in new ones for each order that it gets
// (supervisor_protocol.h). Supervisors and what they start cannot see, signal or trace it, and end
// with it. C library only.
//
// A program that is started often can be a fork server itself: it is loaded once, and each start is
// a copy of it.

// Until the judge lets go; gives its exit status. Called before anything else has been done, so
// that the copies have nothing but the program.
int BeForkServer(const LoadedProgram& loaded);

}  // namespace warpcheck::sandbox
