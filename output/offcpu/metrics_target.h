// Where metrics go: a file for node_exporter's textfile collector, or clients that ask by HTTP.
#pragma once

#include <memory>
#include <string>

namespace perfsift::output {

class MetricsTarget {
 public:
  // `place`: ADDRESS:PORT or :PORT where it has a colon and no slash, else a path. Without an address only this machine
  // is answered, and port 0 is any that is free. Throws UsageError when the port is none, or cannot be had.
  static std::unique_ptr<MetricsTarget> open(const std::string& place);
  virtual ~MetricsTarget() = default;

  virtual void publish(const std::string& text) = 0;
  // The URL to be asked, empty for a file.
  virtual std::string url() const { return {}; }
};

}  // namespace perfsift::output
