// Tells from the name of a file what it is: a source, an archive, or a file that is ignored.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck::batch {

// Returns why a path inside an archive cannot be unpacked, such as "its path is absolute"; empty if
// it can. Its parts are separated by '/'.
std::string WhyPathRefused(std::string_view path);

// Returns true if one part of a path is hidden, or is a file that operating systems and editors
// create for themselves: "__MACOSX", "Thumbs.db", "desktop.ini", and every name that begins with a
// dot. Such files, and all files below such folders, are ignored.
bool IsIgnored(std::string_view part);

// Returns the extension in lower case: ".cu" for "dir/Transpose.CU". It is empty if there is no
// extension.
std::string Extension(std::string_view path);

// Returns true if nvcc may read the file: .cu, .cuh, .h, .hpp, .cpp and similar extensions.
bool IsSource(std::string_view path);
// Returns true for a .cu file.
bool IsKernel(std::string_view path);

// Returns true for .zip, .tar, .tar.gz and .tgz, which Unpack reads.
bool IsArchive(std::string_view path);
// Returns true for an archive of another kind, which Unpack cannot read.
bool IsForeignArchive(std::string_view path);

// Returns the name of a file without its extension: "anna" for "anna.cu" and for "anna.tar.gz".
std::string Stem(std::string_view file_name);

}  // namespace warpcheck::batch
