// The heartbeat thread of a member of a group.
#include <string>
#include <utility>

#include "broker/message.h"
#include "client/consumer_group.h"

namespace kafkasim::client {

using broker::ErrorCode;

// HeartbeatThread.run, until it would wait.
void ConsumerGroup::Beat(GroupIo& io, bool polling) {
  const sim::Time now = io.context.now();
  while (heartbeat_.enabled) {
    if (state_ == MemberState::kUnjoined || state_ == MemberState::kPreparingRebalance) {
      heartbeat_.enabled = false;
    } else if (!CoordinatorKnown(io)) {
      if (now >= find_at_) LookupCoordinator(io);
      return;
    } else if (now >= heartbeat_.session_ends_at) {
      MarkCoordinatorUnknown(io, "session timed out without receiving a heartbeat response",
                             /*disconnected=*/false);
    } else if (now >= heartbeat_.poll_ends_at && !polling) {
      Leave(io, "consumer poll timeout has expired");
    } else if (now < heartbeat_.next_at) {
      return;
    } else {
      heartbeat_.next_at = now + sim::Millis(io.config.heartbeat_interval_ms);
      Send(io, Kind::kHeartbeat,
           broker::MakeMessage(
               broker::HeartbeatRequest{.group_id = metadata_.group_id,
                                        .generation_id = generation_.id,
                                        .member_id = generation_.member_id,
                                        .group_instance_id = metadata_.group_instance_id}));
    }
  }
}

void ConsumerGroup::OnHeartbeat(GroupIo& io, const GroupAnswer& answer) {
  const sim::Time now = io.context.now();
  const auto failed = [&] {
    const Backoff backoff{sim::Millis(io.config.retry_backoff_ms),
                          sim::Millis(io.config.retry_backoff_max_ms)};
    heartbeat_.next_at = now + backoff.After(heartbeat_.attempts++);
  };
  const auto received = [&] {
    heartbeat_.attempts = 0;
    heartbeat_.session_ends_at = now + sim::Millis(io.config.session_timeout_ms);
  };
  if (OnLost(io, answer)) return failed();
  const ErrorCode error = broker::BodyOf<broker::HeartbeatResponse>(*answer.response).error;
  switch (error) {
    case ErrorCode::kNone:
      return received();
    case ErrorCode::kRebalanceInProgress:
      // It goes on beating, so that the coordinator waits for it.
      if (state_ == MemberState::kStable) RequestRejoin(io, "group is already rebalancing");
      return received();
    case ErrorCode::kCoordinatorNotAvailable:
    case ErrorCode::kNotCoordinator:
      ReportRefusal(io, "Heartbeat", error, /*retried=*/true);
      MarkCoordinatorUnknown(io, "error response to a heartbeat", /*disconnected=*/false);
      return failed();
    case ErrorCode::kIllegalGeneration:
    case ErrorCode::kUnknownMemberId:
    case ErrorCode::kFencedInstanceId:
      // The answer to an old question says nothing.
      if (answer.request.sent_in != generation_) return received();
      ReportRefusal(io, "Heartbeat", error, /*retried=*/false);
      ResetAndRejoin(io, "encountered " + std::string(broker::Name(error)) + " from HEARTBEAT",
                     error != ErrorCode::kIllegalGeneration);
      if (error == ErrorCode::kFencedInstanceId) {
        heartbeat_.failure = FencedError();
        heartbeat_.enabled = false;
        return;
      }
      return failed();
    default:
      ReportRefusal(io, "Heartbeat", error, /*retried=*/false);
      heartbeat_.failure =
          ErrorFromCode(error, ErrorClass::kFatal, "a heartbeat was answered with an error");
      if (error != ErrorCode::kGroupAuthorizationFailed) {
        heartbeat_.failure.exception = Exception::kKafka;
        heartbeat_.failure.cause = Exception::kFromCode;
      }
      heartbeat_.enabled = false;
  }
}

}  // namespace kafkasim::client
