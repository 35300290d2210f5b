// score: 0
// A system call by the way of 32-bit machines. Where the kernel has it, it is not allowed; where it
// has not, the processor faults. It must not work on either.
#include <unistd.h>

#include "transpose.h"

void transpose(const float*, float*, int, int) {
  long result = 20;  // getpid
  __asm__ volatile("int $0x80" : "+a"(result) : : "r8", "r9", "r10", "r11", "memory");
  _exit(result > 0 ? 0 : 7);
}
