// Where an application is in its program: the blocks it is in, the records of the last poll, the
// errors that are being handled. A pure state machine: it says which line comes next, and is told
// what came of it; the application carries the lines out (application.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/call_result.h"
#include "client/program.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

class ProgramRun {
 public:
  using Records = std::shared_ptr<const std::vector<ConsumedRecord>>;

  // What comes next.
  enum class Next : uint8_t {
    kLine,           // line() is to be begun, or is under way
    kEndOfCallback,  // a listener's method is through
    kEndOfProgram,
    kCircle,  // the program runs in a circle in which no line does anything
  };

  explicit ProgramRun(ProgramRef program) : program_(std::move(program)) {}

  [[nodiscard]] const Program& program() const { return *program_; }

  // From the top, with nothing in memory.
  void Start();
  // Opens and closes blocks up to the next line that does something. `in_transaction`: whether the
  // producer's transaction is open.
  [[nodiscard]] Next Advance(bool in_transaction);

  // --- The line that comes next; only after kLine
  // -------------------------------------------------
  [[nodiscard]] const Line& line() const { return LineOf(frames_.back()); }
  // The program has come to it. Returns how often it has so far.
  int64_t Begin();
  [[nodiscard]] bool begun() const { return frames_.back().begun; }
  // It is being carried out from now on.
  void SetUnderWay() { frames_.back().under_way = true; }
  [[nodiscard]] bool under_way() const { return frames_.back().under_way; }
  // How often it was begun before, for {n}.
  [[nodiscard]] int64_t number() const;
  // The call that it waits for.
  void Await(CallId call) { frames_.back().awaited = call; }
  [[nodiscard]] std::optional<CallId> awaited() const { return frames_.back().awaited; }
  // It is through.
  void Done();
  // The record of the innermost for_each around the line; null outside of one.
  [[nodiscard]] const ConsumedRecord* record() const;

  // --- Errors
  // ------------------------------------------------------------------------------------- The line
  // has failed. Gives the handler that runs now; null if nobody catches the error, as in a handler
  // or in a callback.
  const ErrorHandler* Throw(const ApiError& error);
  // The ends of a handler: with the next round, or once more.
  void Continue();
  void Retry();

  // --- The rebalance listener
  // --------------------------------------------------------------------- Inside the call that
  // line() waits for.
  void EnterCallback(BlockId block);
  [[nodiscard]] bool in_callback() const { return callback_at_.has_value(); }
  // Leaves it, at its end or at an error.
  void LeaveCallback();

  // --- Memory
  // -------------------------------------------------------------------------------------
  void set_records(Records records) { records_ = std::move(records); }
  [[nodiscard]] const Records& records() const { return records_; }
  void set_answer(std::string answer) { answer_ = std::move(answer); }
  [[nodiscard]] const std::string& answer() const { return answer_; }

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  // A block that is being run.
  struct Frame {
    BlockId block{};
    int32_t next = 0;      // its line
    int64_t round = 0;     // from 0
    bool handler = false;  // of an error of the line of the frame below
    bool begun = false;    // the line: the program has come to it
    bool under_way = false;
    std::optional<CallId> awaited{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  [[nodiscard]] const Line& LineOf(const Frame& frame) const {
    return program_->block(frame.block).lines[static_cast<size_t>(frame.next)];
  }
  void Enter(BlockId block, bool in_transaction);
  // A block is at its end. False if it was the last one of the program or of a callback.
  bool CloseBlock();
  void StepOver(Frame& frame);
  static void ForgetLine(Frame& frame);
  [[nodiscard]] bool RunsAgain(const Frame& frame) const;

  ProgramRef program_;
  std::vector<Frame> frames_;             // the innermost block last
  std::optional<int32_t> callback_at_{};  // the frame of the listener's method
  Records records_{};
  std::string answer_;
  std::vector<int64_t> counts_{};  // by the index of the line: how often it was begun
};

}  // namespace kafkasim::client
