#include "client/inbox.h"

#include <utility>

namespace client {

void Inbox::Deliver(arena::v1::PlayResponse frame) {
  const std::lock_guard lock(mutex_);
  frames_.push_back(std::move(frame));
  changed_.notify_all();
}

void Inbox::End(const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  end_ = status;
  changed_.notify_all();
}

void Inbox::AskToLeave() {
  const std::lock_guard lock(mutex_);
  leave_asked_ = true;
  changed_.notify_all();
}

bool Inbox::HasNews() const { return !frames_.empty() || leave_asked_ || end_; }

News Inbox::Next(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_until(lock, until, [this] { return HasNews(); })) return Silence{};
  if (!frames_.empty()) {
    News frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }
  if (std::exchange(leave_asked_, false)) return LeaveWish{};
  return *end_;
}

void Inbox::AwaitEnd() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return end_.has_value(); });
  frames_.clear();
  end_.reset();
}

}  // namespace client
