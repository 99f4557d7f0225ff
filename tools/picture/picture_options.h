// The options of every command that draws flame graphs.
//
// ```cpp
// PictureOptions picture;
// picture.add_to(options);
// if (!options::parse(arguments, usage, options, ReadingOptions::positional)) return done;
// picture.check();
// output::RunFiles files;
// picture.note_files(files);
// const output::FlameOptions drawn = picture.flame_options();
// ```
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options/command_line.h"
#include "output/files/output_file.h"
#include "output/files/run_files.h"
#include "output/flame/flame.h"

namespace perfsift::tools {

// The format that the name of an output asks for; nothing: no picture.
std::optional<output::PictureFormat> picture_named(std::string_view output);

class PictureOptions {
 public:
  void add_to(options::po::options_description& options);
  // Adds only the options for the look of a picture, without colours and output.
  void add_look_to(options::po::options_description& options);
  // Whether any of the options of the look was given. Call it before check().
  bool has_look() const;
  // Call it after the options have been parsed. Reads --palette-map. Throws UsageError, and InputError.
  void check();
  // The files that are read, and the output. Throws UsageError if an input would be overwritten: call it after the
  // inputs have been noted.
  void note_files(output::RunFiles& files) const;

  const std::string& output() const { return output_; }
  // The look by the options. Without their options, `title` and the unit are empty, and `subtitle` is nothing.
  const output::FlameOptions& flame_options() const { return options_; }
  bool has_title() const { return !title_.empty(); }
  bool has_count_name() const { return count_name_.has_value(); }

 private:
  output::PictureFormat format() const;

  output::FlameOptions options_;
  std::string output_ = output::OutputFile::standard_output;
  std::string format_;
  std::string title_;
  std::optional<std::string> count_name_;
  std::string least_width_;
  std::string palette_ = "kind";
  std::string palette_map_;
};

}  // namespace perfsift::tools
