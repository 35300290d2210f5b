// The forms of the entry points for programs compiled with --default-stream per-thread. Work is
// finished when a call returns, so that both default streams behave alike: one is a jump to the
// other.
#if defined(__x86_64__)
#define JUMP "jmp "
#elif defined(__aarch64__)
#define JUMP "b "
#else
#error "a jump instruction is needed for this architecture"
#endif

#if defined(__x86_64__)
#define TARGET(name) #name "@PLT"
#else
#define TARGET(name) #name
#endif

#define PER_THREAD(name, suffix) \
  __asm__(".text\n"                         \
          ".globl " #name #suffix "\n"      \
          ".type " #name #suffix ", @function\n" \
          #name #suffix ":\n"               \
          JUMP TARGET(name) "\n"            \
          ".size " #name #suffix ", .-" #name #suffix "\n");
#include "cudart/per_thread.def"
#undef PER_THREAD
