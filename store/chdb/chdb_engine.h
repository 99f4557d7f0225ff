// A store in a folder, with the engine in this process.
#pragma once

#include <memory>
#include <string>

#include "store/chdb/library.h"
#include "store/chdb/store_folder.h"
#include "store/engine/engine.h"

namespace perfsift::store::chdb {

// A process has one engine at a time: the constructor waits for the end of another engine of this process. A thread
// that has an engine must not make a second one. Another thread may use and end it.
class ChdbEngine : public Engine {
 public:
  // Throws InputError.
  ChdbEngine(const std::string& folder, FolderUse use);
  // After inserts it may wait for seconds, until the engine has removed what it does not need any more.
  ~ChdbEngine() override;

  using Engine::query;
  std::string query(std::string_view sql, const Parameters& parameters) override;
  bool is_alone() const override { return true; }  // the folder is locked
  bool takes_long_parameters() const override { return true; }
  void insert(const TableColumns& table, std::string_view rows) override;

 private:
  void wait_until_old_parts_are_few();

  struct Close {
    void operator()(Connection* connection) const { library().close(connection); }
  };

  // The right to have an engine.
  struct OnlyOne {
    OnlyOne();
    ~OnlyOne();
    OnlyOne(const OnlyOne&) = delete;
    OnlyOne& operator=(const OnlyOne&) = delete;
  };

  const OnlyOne only_;
  const StoreFolder locked_;
  // A connection that is not closed keeps the process from ending.
  std::unique_ptr<Connection, Close> connection_;
  bool has_written_ = false;
};

}  // namespace perfsift::store::chdb
