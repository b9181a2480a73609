#include "client/program_run.h"

#include <algorithm>
#include <utility>

#include "sim/check.h"

namespace kafkasim::client {
namespace {

// A program opens and closes not many blocks between two lines that do something.
constexpr int kMostMoves = 100'000;

}  // namespace

void ProgramRun::Start() {
  frames_.assign(1, Frame{.block = kMainBlock});
  callback_at_.reset();
  records_ = nullptr;
  answer_.clear();
  counts_.assign(static_cast<size_t>(program_->line_count), 0);
}

ProgramRun::Next ProgramRun::Advance(bool in_transaction) {
  for (int moves = 0; moves < kMostMoves; ++moves) {
    Frame& frame = frames_.back();
    const Block& block = program_->block(frame.block);
    if (static_cast<size_t>(frame.next) < block.lines.size()) {
      const auto* inner = std::get_if<InnerLine>(&LineOf(frame).what);
      if (inner == nullptr) return Next::kLine;
      Enter(inner->block, in_transaction);
      continue;
    }
    if (!CloseBlock()) return in_callback() ? Next::kEndOfCallback : Next::kEndOfProgram;
  }
  return Next::kCircle;
}

// Into a block, or past it.
void ProgramRun::Enter(BlockId id, bool in_transaction) {
  const Block& block = program_->block(id);
  const bool has_records = records_ != nullptr && !records_->empty();
  bool enters = !block.lines.empty();
  if (block.kind == Block::Kind::kForEach) enters = has_records;
  if (block.kind == Block::Kind::kIf) {
    switch (block.condition) {
      case Block::Condition::kRecords:
        enters = has_records;
        break;
      case Block::Condition::kNoRecords:
        enters = !has_records;
        break;
      case Block::Condition::kInTransaction:
        enters = in_transaction;
        break;
      case Block::Condition::kNotInTransaction:
        enters = !in_transaction;
        break;
    }
  }
  if (enters) {
    frames_.push_back(Frame{.block = id});
  } else {
    StepOver(frames_.back());
  }
}

bool ProgramRun::RunsAgain(const Frame& frame) const {
  const Block& block = program_->block(frame.block);
  switch (block.kind) {
    case Block::Kind::kLoop:
      return true;
    case Block::Kind::kTimes:
      return frame.round + 1 < block.times;
    case Block::Kind::kForEach:
      return records_ != nullptr && frame.round + 1 < static_cast<int64_t>(records_->size());
    case Block::Kind::kOnce:
    case Block::Kind::kIf:
      return false;
  }
  return false;
}

bool ProgramRun::CloseBlock() {
  Frame& frame = frames_.back();
  if (RunsAgain(frame)) {
    frame.next = 0;
    ++frame.round;
    return true;
  }
  if (frames_.size() == 1) return false;
  if (callback_at_ == static_cast<int32_t>(frames_.size()) - 1) return false;
  if (frame.handler) {
    Continue();  // which is what a handler does that does not say otherwise
    return true;
  }
  frames_.pop_back();
  StepOver(frames_.back());
  return true;
}

void ProgramRun::StepOver(Frame& frame) {
  ++frame.next;
  ForgetLine(frame);
}

void ProgramRun::ForgetLine(Frame& frame) {
  frame.begun = false;
  frame.under_way = false;
  frame.awaited.reset();
}

int64_t ProgramRun::Begin() {
  frames_.back().begun = true;
  return ++counts_[static_cast<size_t>(line().index)];
}

int64_t ProgramRun::number() const { return counts_[static_cast<size_t>(line().index)] - 1; }

void ProgramRun::Done() { StepOver(frames_.back()); }

const ConsumedRecord* ProgramRun::record() const {
  const auto innermost = std::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& frame) {
    return program_->block(frame.block).kind == Block::Kind::kForEach;
  });
  if (innermost == frames_.rend() || records_ == nullptr) return nullptr;
  const auto index = static_cast<size_t>(innermost->round);
  return index < records_->size() ? &(*records_)[index] : nullptr;
}

const ErrorHandler* ProgramRun::Throw(const ApiError& error) {
  const bool handling =
      std::any_of(frames_.begin(), frames_.end(), [](const Frame& frame) { return frame.handler; });
  if (handling || in_callback()) return nullptr;
  for (const ErrorHandler& handler : program_->on_error) {
    if (!handler.Fits(error)) continue;
    frames_.push_back(Frame{.block = handler.block, .handler = true});
    return &handler;
  }
  return nullptr;
}

void ProgramRun::Continue() {
  const auto handler = std::find_if(frames_.begin(), frames_.end(),
                                    [](const Frame& frame) { return frame.handler; });
  frames_.erase(handler, frames_.end());
  const auto loop = std::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& frame) {
    const Block::Kind kind = program_->block(frame.block).kind;
    return kind == Block::Kind::kLoop || kind == Block::Kind::kTimes;
  });
  if (loop == frames_.rend()) {
    StepOver(frames_.back());
    return;
  }
  frames_.erase(loop.base(), frames_.end());
  Frame& frame = frames_.back();
  frame.next = static_cast<int32_t>(program_->block(frame.block).lines.size());
  ForgetLine(frame);
}

void ProgramRun::Retry() {
  const auto handler = std::find_if(frames_.begin(), frames_.end(),
                                    [](const Frame& frame) { return frame.handler; });
  KAFKASIM_CHECK(handler != frames_.end(), "only a handler has a line to try again");
  frames_.erase(handler, frames_.end());
  ForgetLine(frames_.back());
}

void ProgramRun::EnterCallback(BlockId block) {
  KAFKASIM_CHECK(!in_callback(), "a consumer calls its listener once at a time");
  callback_at_ = static_cast<int32_t>(frames_.size());
  frames_.push_back(Frame{.block = block});
}

void ProgramRun::LeaveCallback() {
  frames_.resize(static_cast<size_t>(*callback_at_));
  callback_at_.reset();
}

void ProgramRun::Frame::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(block);
  out.Add(next);
  out.Add(round);
  out.Add(handler);
  out.Add(begun);
  out.Add(under_way);
  out.Add(awaited);
}

void ProgramRun::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(frames_);
  out.Add(callback_at_);
  out.Add(records_ != nullptr);
  if (records_ != nullptr) out.AddAll(*records_);
  out.Add(answer_);
  out.AddAll(counts_);
}

}  // namespace kafkasim::client
