// Traces that a program may leave for one that runs after it or beside it, by kind.
#pragma once

// Leaves one. 0 where that is refused, 1 where it is done, 3 where it cannot be tried.
int Leaves(const char* kind);

// 1 where such a trace is there, 0 where not, 3 where that cannot be seen.
int Finds(const char* kind);
