// Changes to the data of a correct run. Each makes one check fail, which proves that the check works.

import { SLOW_ID } from '../slow-record.mjs';

const last = 'SELECT max(position) FROM commits';
const audit = "SELECT max(position) FROM commits WHERE stream = 'audit-trail'";

/** Excludes streams that other checks cover: slow requests and refusals. */
const ordinary = `stream NOT LIKE '%-${SLOW_ID}%' AND stream NOT LIKE 'refusal-%'`;

/** Ends of runs of bots that still exist. A deleted bot's run needs no end. */
export const endedRuns = `events LIKE '%"SyncSucceeded"%' AND stream NOT IN (SELECT stream FROM commits WHERE events LIKE '%"KnowledgeRemoved"%')`;

export const tampers = [
  {
    // Commits of uploads and runs are not acknowledged one by one.
    name: 'the last commit of a bot is missing',
    file: 'bots',
    sql: `DELETE FROM commits WHERE position = (${last} WHERE ${ordinary} AND stream LIKE 'bot-%')`,
    caught: 'I1 ',
  },
  {
    name: 'a bot exists that no client requested',
    file: 'bots',
    sql: `INSERT INTO commits SELECT position + 1, 'bot-00000000000000000000000000', 1, NULL, replace(events, '"id":"', '"id":"x'), metadata
            FROM commits WHERE position = (${last})`,
    caught: 'I1 ',
  },
  {
    name: 'a message was stored twice',
    file: 'inference',
    sql: `INSERT INTO commits SELECT (${last}) + 1, stream, (SELECT max(version) FROM commits c WHERE c.stream = o.stream) + 1, NULL,
            replace(events, '"id":"', '"id":"x'), metadata FROM commits o WHERE events LIKE '%MessageSubmitted%' AND ${ordinary} ORDER BY position LIMIT 1`,
    caught: 'I1 ',
  },
  {
    name: 'a bot is missing whose slow request was accepted',
    file: 'bots',
    sql: `DELETE FROM commits WHERE position = (SELECT max(position) FROM commits WHERE stream LIKE 'bot-${SLOW_ID}%')`,
    caught: 'I9 slow bodies',
  },
  {
    name: 'a conversation exists that was started slowly and erased with its user',
    file: 'inference',
    sql: `DELETE FROM commits WHERE position = (SELECT max(position) FROM commits WHERE events LIKE '%ConversationErased%')`,
    caught: 'I9 slow bodies',
  },
  { name: 'a commit in the middle is missing', file: 'bots', sql: 'DELETE FROM commits WHERE position = 5', caught: 'I2 ' },
  {
    name: 'a version is skipped',
    file: 'bots',
    sql: `UPDATE commits SET version = version + 1 WHERE position = (${last})`,
    caught: 'I2 ',
  },
  {
    name: 'an audit entry was recorded twice',
    file: 'analytics',
    sql: `INSERT INTO commits SELECT position + 1, stream, version + 1, NULL, replace(events, '"id":"', '"id":"'), metadata
            FROM commits WHERE position = (${audit})`,
    caught: 'I4 one audit entry',
  },
  {
    name: 'an audit entry is missing',
    file: 'analytics',
    sql: `DELETE FROM commits WHERE position = (${audit})`,
    caught: 'I4 one audit entry',
  },
  {
    name: 'an audit entry names another user',
    file: 'analytics',
    sql: `UPDATE commits SET events = json_set(events, '$[0].event.entry.user_id', 'somebody else') WHERE position = (${audit})`,
    caught: 'I4 one audit entry',
  },
  {
    name: 'an audit entry was changed',
    file: 'analytics',
    sql: `UPDATE commits SET events = json_set(events, '$[0].event.entry.success', json('false')) WHERE position = (${audit})`,
    caught: 'I11 ',
  },
  {
    name: 'an audit entry was disguised as one of release 0.2, which need no key',
    file: 'analytics',
    sql: `UPDATE commits SET events = json_remove(events, '$[0].event.proof') WHERE position = (${audit})`,
    caught: 'I11 ',
  },
  {
    name: 'a bot has another title in its read model',
    file: 'bots',
    sql: `UPDATE "bots@*" SET row = json_set(row, '$.title', 'Other')`,
    caught: 'I6 ',
  },
  {
    name: 'a charge was counted twice',
    file: 'analytics',
    sql: `UPDATE "spend@*" SET row = json_set(row, '$.input_tokens', json_extract(row, '$.input_tokens') + 1)`,
    caught: 'I6 ',
  },
  {
    name: 'a conversation has another price in its list',
    file: 'inference',
    sql: `UPDATE "conversation_costs@*" SET row = json_set(row, '$.nano_dollars', json_extract(row, '$.nano_dollars') + 1)`,
    caught: 'I6 ',
  },
  { name: 'a message is missing in its read model', file: 'inference', sql: 'DELETE FROM "messages@*"', caught: 'I6 ' },
  {
    name: 'a reply ended twice',
    file: 'inference',
    sql: `INSERT INTO commits SELECT (${last}) + 1, stream, version + 1, NULL, replace(events, '"id":"', '"id":"x'), metadata
            FROM commits o WHERE events LIKE '%ReplyCompleted%' AND ${ordinary} AND version = (SELECT max(version) FROM commits c WHERE c.stream = o.stream) LIMIT 1`,
    caught: 'I8 ',
  },
  {
    name: 'a reply never came',
    file: 'inference',
    sql: `DELETE FROM commits WHERE position = (SELECT max(position) FROM commits WHERE events LIKE '%ReplyCompleted%' AND ${ordinary})`,
    caught: 'I8 ',
  },
  {
    name: 'a run that reads knowledge never ended',
    file: 'bots',
    sql: `DELETE FROM commits WHERE position = (SELECT max(position) FROM commits WHERE ${endedRuns})`,
    caught: 'I12 every run ends',
  },
  {
    name: 'a run that reads knowledge ended twice',
    file: 'bots',
    sql: `INSERT INTO commits SELECT (${last}) + 1, stream, (SELECT max(version) FROM commits c WHERE c.stream = o.stream) + 1, NULL,
            replace(events, '"id":"', '"id":"x'), metadata FROM commits o WHERE ${endedRuns} ORDER BY position LIMIT 1`,
    caught: 'I12 every run ends',
  },
  {
    name: 'an index is left that no bot uses',
    file: 'bots',
    sql: `UPDATE "knowledge_syncs@*" SET row = json_set(row, '$.generation', 'another') WHERE json_extract(row, '$.generation') IS NOT NULL`,
    caught: 'I12 nothing of knowledge',
  },
  {
    name: 'a refusal is not in the audit log',
    file: 'identity',
    sql: "DELETE FROM commits WHERE stream LIKE 'refusal-%'",
    caught: 'I11 refusals',
  },
  {
    name: 'an erased user can still be found',
    file: 'identity',
    sql: `UPDATE commits SET events = json_set(events, '$[0].event.type', 'UserErased')
           WHERE position = (SELECT max(position) FROM commits WHERE events LIKE '%UserRegistered%'
             AND stream NOT IN (SELECT stream FROM commits WHERE events LIKE '%UserErased%'))`,
    caught: 'erased is unreadable',
  },
  { name: 'the end of a session was forgotten', file: 'identity', sql: 'DELETE FROM "revocations@*"', caught: 'I6 ' },
  {
    name: 'a user is in a group only in the read model',
    file: 'identity',
    sql: `UPDATE "users@*" SET row = json_set(row, '$.groups', json_array('Admin'))`,
    caught: 'I6 ',
  },
];
