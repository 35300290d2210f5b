// The supervisor's part of the filter of system calls (call_filter.h): it is installed in the
// process that becomes the program, and the supervisor is told of every forbidden call. C library
// only.
#pragma once

namespace warpcheck::sandbox {

// In the supervisor: keeps the filter for FilterCalls. False where the file holds none.
bool ReadFilter(int file);

// In the child, before it executes the program: installs the filter and sends its listener over
// `start`. Where this kernel has no listeners, or another one is in force already (a container's),
// forbidden calls kill instead. False (errno) on failure.
bool FilterCalls(int start);

// In the supervisor, at the other end of `start`: takes up the listener, if one is sent, and waits
// until the program runs (0) or has failed to (errno).
int AwaitStart(int start, int& listener);

// The number of a forbidden call that waits to be answered, -1 for another architecture's. False
// where its process has died meanwhile.
bool NextForbiddenCall(int listener, int& number);

}  // namespace warpcheck::sandbox
