// All checks. Each gets the ledger, the evidence, the product and a random source, and returns its problems as sentences.
import { acknowledgedIsKept, clientsSeeIt, touchedIsKept } from './acknowledged-is-kept.mjs';
import { auditChainVerifies } from './audit-chain-verifies.mjs';
import { everyMessageEnds } from './every-message-ends.mjs';
import { everyRunEnds, nothingIsOrphaned, savesAreInService, searchesAreWhole } from './knowledge-is-whole.mjs';
import { logHasNoGaps } from './log-has-no-gaps.mjs';
import { oneAuditEntryEach, oneChargeEach } from './one-effect-each.mjs';
import { endedIsRefused, erasedIsUnreadable, peopleAreSeen, refusalsAreOnRecord } from './people-are-as-answered.mjs';
import { publishedIsCommitted } from './published-is-committed.mjs';
import { readModelsEqualAReplay } from './read-models-equal-a-replay.mjs';
import { slowAreAsAnswered, touchedSlowAreAsAnswered } from './slow-are-as-answered.mjs';

/** Hold at any time, so they run after every restart. */
export const always = [
  { name: 'I1 what was acknowledged is kept', look: touchedIsKept },
  { name: 'I2 logs have no gaps', look: logHasNoGaps },
  { name: 'I9 what has ended is refused', look: endedIsRefused },
  { name: 'I12 searches find a whole index', look: searchesAreWhole },
  { name: 'I9 slow bodies are refused after an end', look: touchedSlowAreAsAnswered },
  { name: 'I11 the audit chain verifies', look: auditChainVerifies },
  { name: 'I11 refusals are on record', look: refusalsAreOnRecord },
];

/** Hold when no work is left. */
export const afterQuiet = [
  { name: 'I1 what was acknowledged is kept', look: acknowledgedIsKept },
  { name: 'I1 clients see what was acknowledged', look: clientsSeeIt },
  { name: 'I2 logs have no gaps', look: logHasNoGaps },
  { name: 'I3 published is what was committed', look: publishedIsCommitted },
  { name: 'I4 one audit entry for each action', look: oneAuditEntryEach },
  { name: 'I6 read models equal a replay', look: readModelsEqualAReplay },
  // Checks that read as an administrator come last, because each read is in the audit log too.
  { name: 'I4 one charge for each reply', look: oneChargeEach },
  { name: 'I8 every message ends, once', look: everyMessageEnds },
  { name: 'I12 every run ends, once', look: everyRunEnds },
  { name: 'I12 nothing of knowledge is orphaned', look: nothingIsOrphaned },
  { name: 'I12 saved knowledge is in service', look: savesAreInService },
  { name: 'I9 people are as was answered', look: peopleAreSeen },
  { name: 'I9 slow bodies are refused after an end', look: slowAreAsAnswered },
  { name: 'erased is unreadable', look: erasedIsUnreadable },
  { name: 'I11 the audit chain verifies', look: auditChainVerifies },
  { name: 'I11 refusals are on record', look: refusalsAreOnRecord },
];

/** Runs checks on one snapshot of the data. Returns a violation for each check with problems, with its first few sentences. */
export async function violations(checks, look) {
  const found = [];
  for (const { name, look: check } of checks) {
    try {
      const problems = await check(look);
      if (problems.length > 0) found.push({ name, count: problems.length, problems: problems.slice(0, shown) });
    } catch (error) {
      // Under another name, so that no sabotage counts it as a report of the check.
      found.push({ name: `the harness could not check ${name}`, count: 1, problems: [error.stack] });
    }
  }
  return found;
}

const shown = 10;
