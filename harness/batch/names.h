// Names as they come out of exports and archives.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck::batch {

// What two names have in common that differ only in case or in Unicode form (NFKC_Casefold of the
// Unicode Standard); of a name that is not UTF-8, the name itself.
std::string Folded(std::string_view name);

// A name that is safe as a file's name and as a word for a shell: letters and digits of every
// script, '.', '_' and '-'. Spaces become '_', and where something else was left out, a hash of the
// name follows. At most 160 bytes, in UTF-8 (NFC). The same name has the same id; two names may
// have one id in common.
std::string SafeId(std::string_view name);

// Where several submissions of a student are graded, each has an id of its own, "anna~2", which is
// no student's; and the student's in it.
std::string IdOfOne(const std::string& student, std::size_t number);
std::string StudentOf(const std::string& id);

// Why a path in an archive can be put nowhere, "its path is absolute"; empty where it can be put.
// '/' stands between its parts.
std::string ObjectionToPath(std::string_view path);

// For people: bytes that are not UTF-8 as "\xNN".
std::string Shown(std::string_view name);

// Files that operating systems and editors leave behind, and everything below a hidden folder: the
// part of a path is "__MACOSX", "Thumbs.db", "desktop.ini", or begins with a dot.
bool IsClutter(std::string_view part);

// ".cu" of "dir/Transpose.CU"; empty where there is none. In lower case.
std::string Extension(std::string_view path);

// A file that nvcc may read: .cu, .cuh, .h, .hpp, .cpp and their like.
bool IsSource(std::string_view path);
bool IsKernel(std::string_view path);  // .cu

// .zip, .tar, .tar.gz or .tgz: what Unpack reads.
bool IsArchive(std::string_view path);
// An archive of another kind, which nobody here reads.
bool IsForeignArchive(std::string_view path);

// "anna" of "anna.cu", "anna.tar.gz".
std::string Stem(std::string_view file_name);

}  // namespace warpcheck::batch
