// I6: the rows of read models equal a replay of the whole log by independent folds.
import { isDeepStrictEqual } from 'node:util';
import { botsBy } from './replay-of-bots.mjs';
import { conversationsBy } from './replay-of-conversations.mjs';
import { groupsBy, revocationsBy, sessionsBy, usersBy } from './replay-of-identity.mjs';
import { spendingBy } from './replay-of-spending.mjs';

export function readModelsEqualAReplay({ evidence }) {
  const { messages, conversations, owed, provenance, listed, costs, branches, feedback, deletions } = conversationsBy(evidence);
  const { months, days } = spendingBy(evidence);
  const { living, contents, audiences, versions, erased } = botsBy(evidence);
  const known = new Map(
    [...living].map(([id, row]) => [id, { bot_id: id, owner_user_id: row.owner_user_id, is_private: row.shared_scope === 'private' }]),
  );
  return [
    ...differences('users', usersBy(evidence), evidence.rows('identity', 'users', 'users')),
    ...differences('sessions', sessionsBy(evidence), evidence.rows('identity', 'sessions', 'sessions')),
    ...differences('groups', groupsBy(evidence), evidence.rows('identity', 'groups', 'groups')),
    ...differences('revocations', revocationsBy(evidence), evidence.rows('identity', 'revocations', 'revocations')),
    ...differences('bots', living, evidence.rows('bots', 'bots', 'bots')),
    ...differences('contents of bots', contents, evidence.rows('bots', 'bots', 'bot_contents')),
    ...differences('audiences of bots', audiences, evidence.rows('bots', 'bots', 'bot_audiences')),
    ...differences('erased bots', erased, evidence.rows('bots', 'bots', 'erased_bots')),
    ...differences('versions of bots', versions, evidence.rows('bots', 'bot-history', 'bot_versions')),
    ...differences('messages', messages, evidence.rows('inference', 'messages', 'messages')),
    ...differences('conversations', conversations, evidence.rows('inference', 'messages', 'conversations')),
    ...differences('owed replies', owed, evidence.rows('inference', 'messages', 'owed_replies')),
    ...differences('provenance', provenance, evidence.rows('inference', 'messages', 'provenance')),
    ...differences('listed conversations', listed, evidence.rows('inference', 'conversation-list', 'listed_conversations')),
    ...differences('costs of conversations', costs, evidence.rows('inference', 'conversation-list', 'conversation_costs')),
    ...differences('branches', branches, evidence.rows('inference', 'conversation-list', 'message_branches')),
    ...differences('feedback', feedback, evidence.rows('inference', 'conversation-list', 'message_feedback')),
    ...differences('deletions', deletions, evidence.rows('inference', 'conversation-list', 'conversation_deletions')),
    ...differences('known bots', known, evidence.rows('publication', 'known-bots', 'known_bots')),
    ...differences('the audit log', auditLog(evidence), evidence.rows('analytics', 'audit-log', 'audit_log')),
    ...differences('spending', months, evidence.rows('analytics', 'spend', 'spend')),
    ...differences('spending of budgets', days, evidence.rows('analytics', 'spend', 'budget_spend')),
  ];
}

function differences(what, expected, found) {
  const problems = [];
  for (const [key, row] of expected) {
    if (!found.has(key)) problems.push(`${what}: ${key} is missing`);
    else if (!isDeepStrictEqual(found.get(key), row))
      problems.push(`${what}: ${key} is ${JSON.stringify(found.get(key))}, not ${JSON.stringify(row)}`);
  }
  for (const key of found.keys()) if (!expected.has(key)) problems.push(`${what}: ${key} should not be there`);
  return problems;
}

function auditLog(evidence) {
  const entries = evidence.events('analytics').filter(({ event }) => event.type === 'AuditEntryRecorded');
  return new Map(entries.map(({ event, commit: { position } }) => [event.entry.id, { ...event.entry, hash: event.hash, position }]));
}
