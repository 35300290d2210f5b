// Notes signals that ask the program to stop, so that it can come to an orderly end.
#pragma once

namespace warpcheck {

// From now on SIGINT, SIGTERM and SIGHUP no longer end the program, but are noted for StopSignal. A
// file that reaches its size limit becomes an error of the write, as on a full disk, instead of a
// signal.
void WatchForStop();

// Returns the last of those signals; 0 if none has come.
int StopSignal();

}  // namespace warpcheck
