#include "broker/bugs.h"

#include <algorithm>
#include <array>

namespace kafkasim::broker {
namespace {

constexpr auto kBugs = std::to_array<BugInfo>({
    {Bug::kLsoIsHighWatermark, "lso_is_high_watermark",
     "The last stable offset stays before the first open transaction.",
     "It is the high watermark: read_committed reads what may still be aborted."},
    {Bug::kUnreplicatedEndIsStable, "unreplicated_end_is_stable",
     "A transaction holds the last stable offset until its marker is replicated.",
     "It lets go as soon as the leader has the marker, which a failover can take back."},
    {Bug::kOpenTransactionsForgotten, "open_transactions_forgotten",
     "A new leader knows the open transactions from its log.",
     "It starts without any: the last stable offset jumps over them."},
    {Bug::kLeaderIgnoresEpochs, "leader_ignores_epochs",
     "A leader refuses batches of an older producer epoch than it has seen.",
     "It appends what a zombie sends."},
    {Bug::kSequencesNotChecked, "sequences_not_checked",
     "A leader recognises a repeated batch and refuses a gap by sequence numbers.",
     "It appends every batch that comes."},
    {Bug::kMarkersNotChecked, "markers_not_checked",
     "A leader refuses markers of an older producer epoch or coordinator epoch.",
     "It writes the marker of a deposed coordinator."},
    {Bug::kAbortedIndexForgotten, "aborted_index_forgotten",
     "A fetch of read_committed is told which transactions in its range were aborted.",
     "It is told of none."},
    {Bug::kInitKeepsEpoch, "init_keeps_epoch",
     "initTransactions raises the producer epoch, which fences the instance before.",
     "It hands out the same epoch again."},
    {Bug::kTimeoutKeepsEpoch, "timeout_keeps_epoch",
     "A coordinator that aborts a transaction after its timeout raises the producer epoch.",
     "It aborts under the epoch that the producer still uses."},
    {Bug::kCoordinatorIgnoresEpochs, "coordinator_ignores_epochs",
     "A coordinator refuses requests of another producer epoch than the stored one.",
     "It ends and extends transactions for anybody who knows the transactional id."},
    {Bug::kAnswerBeforePrepare, "answer_before_prepare",
     "EndTxn is answered once the decision is in the replicated transaction log.",
     "It is answered at once; a failover can forget the decision."},
    {Bug::kMarkersForgottenAtFailover, "markers_forgotten_at_failover",
     "A new coordinator sends the markers of the decisions that it finds in its log.",
     "It sends none: the transaction stays between its decision and its end."},
    {Bug::kTransactionsInMemoryOnly, "transactions_in_memory_only",
     "A new coordinator learns all transactions from the transaction log.", "It knows none."},
    {Bug::kPendingOffsetsVisible, "pending_offsets_visible",
     "A fetch of stable offsets waits for the transactions that are about to commit others.",
     "It returns the last committed offset: a new owner processes again what is being committed."},
    {Bug::kGenerationNotChecked, "generation_not_checked",
     "A group takes offsets only from members of its current generation.",
     "It takes them from whoever sends them: a zombie commits what it has lost."},
    {Bug::kReaderIgnoresAborts, "reader_ignores_aborts",
     "A read_committed reader drops the records of transactions that it was told are aborted.",
     "It delivers them."},
    {Bug::kReaderForgetsRanges, "reader_forgets_ranges",
     "A reader drops a producer's records from the start of an aborted transaction to its marker.",
     "It goes on dropping the producer's records after the marker."},
});

}  // namespace

std::span<const BugInfo> AllBugs() { return kBugs; }

std::optional<Bug> FindBug(std::string_view name) {
  const auto found = std::find_if(kBugs.begin(), kBugs.end(),
                                  [&](const BugInfo& info) { return info.name == name; });
  return found == kBugs.end() ? std::nullopt : std::optional(found->bug);
}

}  // namespace kafkasim::broker
