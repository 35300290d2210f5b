// Defines the entry points again for programs compiled with --default-stream per-thread.
// Work is finished when a call returns, so both default streams behave alike, and each jumps to the
// ordinary entry point. Before, it sets a byte, which says that the default stream is that of the
// thread (order/thread_stream.h).

#if defined(__x86_64__)
#define JUMP(name)                                       \
  "movb $1, warpcheck_default_stream_per_thread(%rip)\n" \
  "jmp " #name "@PLT\n"
#elif defined(__aarch64__)
#define JUMP(name)                                               \
  "adrp x16, warpcheck_default_stream_per_thread\n"              \
  "mov w17, #1\n"                                                \
  "strb w17, [x16, :lo12:warpcheck_default_stream_per_thread]\n" \
  "b " #name "\n"
#else
#error "a jump instruction is needed for this architecture"
#endif

// clang-format off
#define PER_THREAD(name, suffix)             \
  __asm__(".text\n"                          \
          ".globl " #name #suffix "\n"       \
          ".type " #name #suffix ", @function\n" \
          #name #suffix ":\n"                \
          JUMP(name)                         \
          ".size " #name #suffix ", .-" #name #suffix "\n");
// clang-format on
#include "cudart/calls/per_thread.def"
#undef PER_THREAD
