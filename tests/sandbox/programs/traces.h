// Leaves and finds traces. A trace is something that a program may leave for another one that runs
// after it or beside it.
#pragma once

// Leaves a trace. Returns 0 if that is refused, 1 if it succeeds, and 3 if it cannot be tried.
int Leaves(const char* kind);

// Returns 1 if the trace exists, 0 if it does not, and 3 if that cannot be found out.
int Finds(const char* kind);
