// Packs files into a tar archive, which gzip may compress.
#pragma once

#include <map>
#include <string>

#include "base/result.h"

namespace warpcheck {

// Returns the bytes of an archive in the ustar format (IEEE Std 1003.1, pax) with these files:
// contents by name, in the order of the names. They belong to user 0 and are of second 0, so that
// equal files give equal bytes. Fails on a name that the format cannot hold, and on more than 1 GiB
// of files.
Result<std::string> PackTar(const std::map<std::string, std::string>& files);

// Returns the same archive, compressed by gzip.
Result<std::string> PackTarGz(const std::map<std::string, std::string>& files);

}  // namespace warpcheck
