// A stop request ends the launch that runs in this process, because the process was told to end. It
// is per process, as signals are.
#pragma once

namespace warpcheck::emulator {

// Asks the running launch, and every later one, to end soon. A handler of signals may call it.
void AskToStop();
bool IsAskedToStop();

}  // namespace warpcheck::emulator
