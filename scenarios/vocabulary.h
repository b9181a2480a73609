// The words that Kafka fixes: states of a transaction, states of a Java producer, error codes,
// exceptions. Each with what a file may write and what it becomes.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kafkasim::scenarios {

// The states of a transaction in upper case, as the enum and __transaction_state have them. A file
// may also use the names that DescribeTransactions prints (`PrepareCommit`).
const std::vector<std::string>& TransactionStates();

// The canonical name of a transaction state in either spelling, or "" if it is none.
std::string CanonicalTransactionState(std::string_view text);

// All spellings of all transaction states.
std::vector<std::string> TransactionStateSpellings();

// The states of the Java producer (TransactionManager), and what it is before it has any.
const std::vector<std::string>& ProducerStates();

// Running, paused or crashed.
const std::vector<std::string>& LifeStates();

// Idle (not started), running, closing, through or crashed.
const std::vector<std::string>& ProgramStates();

// Kafka's error codes by name, NONE left out.
std::vector<std::string> ErrorNames();

// The exceptions that the Java clients throw.
const std::vector<std::string>& ExceptionNames();

// APIs whose requests and answers can be held, dropped, counted, by Kafka's name.
const std::vector<std::string>& MessageApis();

// Whether requests (answers) of this API say which transactional id (partition) they concern.
bool NamesTransactionalId(std::string_view api, bool answer);
bool NamesPartition(std::string_view api);

}  // namespace kafkasim::scenarios
