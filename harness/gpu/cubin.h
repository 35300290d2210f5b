// What is read from a cubin, the ELF file that holds the machine code of a module.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warpcheck::gpu {

// The mangled names of the objects that a cubin defines: its global and constant variables, and
// others that the driver knows nothing of. Empty where these bytes are no 64-bit ELF file. The
// driver gives the address of a variable by its name, but no list of the names.
std::vector<std::string> ObjectNames(std::span<const std::byte> cubin);

}  // namespace warpcheck::gpu
