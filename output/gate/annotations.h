// The verdict in the form that CI services show beside a build: lines of their logs that they read, or a file.
#pragma once

#include <optional>
#include <string_view>

#include "analysis/gate/verdict.h"
#include "output/text_writer.h"

namespace perfsift::output {

enum class Annotations : std::uint8_t {
  github,    // workflow commands
  azure,     // logging commands of Azure Pipelines
  teamcity,  // service messages
  gitlab,    // a report of the code quality format: a file
};

// "github|gitlab|azure|teamcity"
inline constexpr std::string_view annotation_names = "github|gitlab|azure|teamcity";
std::optional<Annotations> annotations_of(std::string_view name);

// What passed is left out.
void write_annotations(const analysis::Verdict& verdict, Annotations service, TextWriter& out);

}  // namespace perfsift::output
