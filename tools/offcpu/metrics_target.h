// The target of metrics: a file for node_exporter's textfile collector, or clients that ask by HTTP.
#pragma once

#include <memory>
#include <string>

namespace perfsift::tools {

class MetricsTarget {
 public:
  // `place`: ADDRESS:PORT or :PORT if it has a colon and no slash, otherwise a path. Without an address only this
  // machine can connect; port 0 is any free port. Throws UsageError if the port is invalid or in use.
  static std::unique_ptr<MetricsTarget> open(const std::string& place);
  virtual ~MetricsTarget() = default;

  virtual void publish(const std::string& text) = 0;
  // The URL of the metrics; empty for a file.
  virtual std::string url() const { return {}; }
};

}  // namespace perfsift::tools
