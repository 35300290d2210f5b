// Compares the names of students as exports spell them, shows them, and turns them into ids.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck::batch {

// Returns the form in which names are compared (NFKC_Casefold of the Unicode Standard). Two names
// that differ only in case or in Unicode form have the same form. A name that is not UTF-8 is
// returned unchanged.
std::string CaseFolded(std::string_view name);

// Returns an id for a name that is safe as a file's name and as a word of a shell: letters and
// digits of every script, '.', '_' and '-', at most 160 bytes of UTF-8 (NFC). Spaces become '_'; if
// any other character was dropped, a hash of the name follows. The same name always gives the same
// id, but two names may share one.
std::string SafeId(std::string_view name);

// Returns the id of one of several submissions of a student: "anna~002" for number 2. No student
// has such an id.
std::string SubmissionId(const std::string& student, std::size_t number);

// Returns the student's id in the id of a submission: "anna" for "anna~002" and for "anna".
std::string StudentOf(const std::string& id);

// Returns the name for people to read, with bytes that are not UTF-8 written as "\xNN".
std::string Readable(std::string_view name);

}  // namespace warpcheck::batch
