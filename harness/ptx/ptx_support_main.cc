// This program writes docs/ptx_support.md to standard output.
#include <cstdio>

#include "ptx/usage.h"

int main() { std::fputs(warpcheck::ptx::SupportDocument().c_str(), stdout); }
