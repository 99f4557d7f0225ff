// What stands already where a recording is to be written. It is kept under another name, as perf record does.
#pragma once

#include <string>

namespace perfsift::output {

// Throws Error if the path is neither free, nor a regular file, nor the folder of a recording in several files, which
// has a file `data`. No link is followed, so nobody else chooses what is renamed.
void refuse_what_stays(const std::string& path);

// Renames a file or a folder to `path`.old. What has this name is removed: a file, or a folder in which nothing but the
// files of a recording is. Nothing happens if the path is free. Throws Error.
void keep_as_old(const std::string& path);

}  // namespace perfsift::output
