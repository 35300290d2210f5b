// Leaves and finds traces, by kind, that a program may leave for one that runs after it or beside
// it.
#pragma once

// Leaves a trace. Returns 0 if that is refused, 1 if it is done, 3 if it cannot be tried.
int Leaves(const char* kind);

// Returns 1 if the trace exists, 0 if not, 3 if that cannot be seen.
int Finds(const char* kind);
