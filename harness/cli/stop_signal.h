// Notes signals that ask the program to stop, so that it can come to an orderly end.
#pragma once

namespace warpcheck {

// Makes SIGINT, SIGTERM and SIGHUP no longer end the program: StopSignal reports them instead. Also
// makes a write to a file at its size limit fail with an error, as on a full disk, instead of a
// signal.
void WatchForStop();

// Returns the last of those signals, or 0 if no signal has come.
int StopSignal();

}  // namespace warpcheck
