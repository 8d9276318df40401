// Faults that a developer could introduce, each as one change to built code, and the check that must find it.

import { READY_WITHIN_MS } from '../trial.mjs';

const store = 'libs/event-store/dist/sqlite/sqlite-event-store.js';
const file = 'libs/sqlite/dist/queued-sqlite-file.js';
const streams = 'libs/foundation/dist/streams.js';

/**
 * `by` is the scenario that meets the fault (`load` is one without kills), and `caught` is the start of the name of the check that must
 * report it. `rounds` is the maximum number of kills, or periods of load. Faults with `short` are also planted in CI.
 */
export const bugs = [
  {
    name: 'the log is not synced',
    plant: [{ file, find: /this\.sync\(this\.connections\.log\)\.then/, put: 'Promise.resolve().then' }],
    by: 'fsync',
    caught: 'fsync before acknowledgement',
    short: true,
  },
  {
    name: 'a write is acknowledged while its log is being synced',
    plant: [
      {
        file,
        find: /this\.sync\(this\.connections\.log\)\.then/,
        put: 'const sync = this.sync(this.connections.log).catch(() => undefined); Promise.race([sync, Promise.resolve()]).then',
      },
    ],
    by: 'fsync',
    caught: 'fsync before acknowledgement',
  },
  {
    name: 'a message is acknowledged before it is written',
    plant: [
      {
        file: store,
        find: /const appended = await this\.file\.write\(/,
        put: `const write = (work) => this.file.write(work);
          const late = (work) => {
            setTimeout(() => write(work).then(() => this.growth.wake(), () => undefined), 5);
            return { position: 1, version, written: true, events, earlier: [] };
          };
          const appended = await (events.some(({ event }) => event.type === 'MessageSubmitted') ? late : write)(`,
      },
    ],
    by: 'kill',
    caught: 'I1 ',
    rounds: 80,
    short: true,
  },
  {
    name: 'a repeated delivery has its effect again (no inbox)',
    plant: [{ file: streams, find: /, once: because\.map\(\(event\) => onceName\(policy, event\)\)/, put: '' }],
    by: 'kill',
    caught: 'I4 one audit entry',
    rounds: 40,
    short: true,
  },
  {
    name: 'the place of a group is written before its delivery is handled',
    plant: [
      {
        file: 'libs/messaging/dist/embedded/lane.js',
        find: /await member\.handle\(/,
        put: `if (!isLetter) { this.#moveTo(batch.at(-1).offset + 1, 'handled'); await this.#context.moved.write(); } await member.handle(`,
      },
    ],
    by: 'kill',
    caught: 'I4 one audit entry',
    rounds: 30,
  },
  {
    name: 'the first of several commits reaches no group',
    plant: [
      {
        file: 'libs/messaging/dist/embedded/stretch.js',
        find: /commits\.flatMap\(/,
        put: 'commits.slice(commits.length > 2 ? 1 : 0).flatMap(',
      },
    ],
    by: 'kill',
    caught: 'I4 one audit entry',
    rounds: 40,
  },
  {
    name: 'a checkpoint is written before its rows',
    plant: [
      {
        file: 'libs/read-models/dist/sqlite/units.js',
        find: /taking\.write\(\);/,
        put: 'setTimeout(() => void this.file.write((later) => { Object.assign(taking.changed, { transaction: later }); taking.write(); }), 3);',
      },
    ],
    by: 'kill',
    caught: 'I6 ',
    rounds: 30,
  },
  {
    name: 'a reply whose worker was lost is never taken over',
    plant: [
      {
        file: 'apps/inference/dist/schedule.js',
        find: /\(replies\) => replies\.takePending\(\)/,
        put: 'async () => undefined',
      },
    ],
    by: 'kill',
    caught: 'I8 ',
    rounds: 40,
    replies: true,
  },
  {
    name: 'audit entries are not chained',
    plant: [
      {
        file: 'apps/analytics/dist/domain/audit-trail.js',
        find: /evolve: \(_, event\) => \(\{ head: event\.hash \}\)/,
        put: 'evolve: (state) => state',
      },
    ],
    by: 'kill',
    caught: 'I11 ',
    rounds: 3,
  },
  {
    name: 'a sign-out is answered before the edges know of it',
    plant: [
      {
        file: 'apps/identity/dist/workflows/sessions.js',
        find: /(const \{ position \} = await this\.commands\.execute\(new ExecuteSession\(sessionId, \{ type: 'End', reason \}\)\);)\s+await this\.revocations\.seenByAll\(position\);/,
        put: '$1 void position;',
      },
      // In one process they learn of it within a millisecond, which would hide the fault.
      {
        file: 'libs/revocation/dist/feed.js',
        find: /await firstOf\(this\.time, left, ring, \(signal\) => this\.records\.grown\(position, signal\)\);/,
        put: 'await this.time.sleep(left);',
      },
    ],
    by: 'kill',
    caught: 'I1 ',
    rounds: 40,
  },
  {
    name: 'a session is not checked again when a body is complete',
    plant: [
      {
        file: 'apps/edge/dist/http/routing/gateway.js',
        find: /let still = token && \(await this\.authentication\.stillValid\(token, route\)\);/,
        put: 'let still = token;',
      },
    ],
    by: 'load',
    caught: 'I9 slow bodies',
    rounds: 10,
  },
  {
    name: 'what was revoked is forgotten over a restart',
    plant: [
      {
        file: 'libs/revocation/dist/records.js',
        find: /return \(await this\.all\(\{ index: 'byUntil'/,
        put: "return []; return (await this.all({ index: 'byUntil'",
      },
    ],
    by: 'kill',
    caught: 'I9 ',
    rounds: 40,
    short: true,
  },
  {
    name: 'an Idempotency-Key is read and ignored',
    plant: [
      { file: 'apps/edge/dist/http/idempotency/idempotency.js', find: /if \(state\.status === 'answered'\)/, put: 'if (false)' },
      { file: 'apps/edge/dist/http/idempotency/idempotency.js', find: /newId: state\.newId \};/, put: 'newId: newId() };' },
    ],
    by: 'kill',
    caught: 'I1 ',
    rounds: 40,
  },
  {
    name: 'a refusal is answered and not recorded',
    plant: [
      {
        file: 'libs/foundation/dist/audit/audit-streams.js',
        find: /await this\.store\.append\((\{ stream: `\$\{kind\}.*\})\);/,
        put: 'setTimeout(() => this.store.append($1).catch(() => undefined), 30);',
      },
    ],
    by: 'kill',
    caught: 'I11 refusals',
    rounds: 40,
  },
  {
    name: 'it stands still before it is ready',
    plant: [
      {
        file: 'apps/parlance/dist/start.js',
        find: /await requireFreePort/,
        put: `await new Promise((resolve) => setTimeout(resolve, ${READY_WITHIN_MS + 1_000})); await requireFreePort`,
      },
    ],
    by: 'kill',
    caught: 'I10 ',
    rounds: 1,
  },
  {
    name: 'rows that another release did not write count as complete',
    plant: [
      {
        file: 'libs/read-models/dist/sqlite/live.js',
        find: /SET live = 0, at = \?, revision = revision \+ 1 WHERE live = 1/,
        put: 'SET at = ?, revision = revision + 1 WHERE live = 1',
      },
    ],
    by: 'upgrade',
    caught: 'I6 ',
    rounds: 2,
  },
  {
    name: 'the files of a backup are copied one after the other',
    plant: [
      {
        file: 'apps/parlance/dist/adapters/sqlite-pins.js',
        find: /source\.exec\('BEGIN'\);\s+\/\/ A read[^\n]+\s+source\.prepare\('SELECT count\(\*\) FROM sqlite_schema'\)\.get\(\);/,
        put: '',
      },
      {
        file: 'apps/parlance/dist/adapters/sqlite-pins.js',
        find: /await backup\(/,
        put: 'await new Promise((done) => setTimeout(done, 200));\n            await backup(',
      },
    ],
    by: 'restore',
    caught: 'I4 one audit entry',
  },
  {
    name: 'what a killed process has borrowed of a quota is lent again',
    plant: [
      {
        file: 'apps/publication/dist/domain/api-quota.js',
        find: /sum \+ takenOf\(share\), settled\);\nfunction bounded/,
        put: 'sum + share.used, settled);\nfunction bounded',
      },
    ],
    by: 'quota',
    caught: 'I5 ',
    rounds: 5,
  },
];
