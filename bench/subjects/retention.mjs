// Runs inference in this process, with rows of conversations that have no streams, a rule that covers some of them, and a caller that changes titles.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandBus } from '@nestjs/cqrs';
import { loadConfig } from '@parlance/config';
import { EventStore, newId } from '@parlance/event-store';
import { openHost, startService } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { ExecuteConversation, ExecuteRetention } from '../../apps/inference/dist/commands/aggregates.js';
import { conversationList, listedRows } from '../../apps/inference/dist/projections/conversation-list.js';
import { inference } from '../../apps/inference/dist/service.js';
import { RetentionRounds } from '../../apps/inference/dist/workflows/retention/retention-rounds.js';
import { indexedFields, TableSql } from '../../libs/read-models/dist/sqlite/table-sql.js';
import { percentile } from '../measure/figures.mjs';

const DAY = 86_400_000;
const EVERY_MS = 10;
const USERS = 1_000;

const [conversations, expired, quietSeconds] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
process.on('disconnect', () => process.exit());
const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal' };

async function start() {
  const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
  const { app } = await startService(inference, host);
  return { host, app };
}

/** Writes the rows into the file of the stopped service. */
function seed(file) {
  const database = new DatabaseSync(file);
  const table = `${listedRows.name}@v${conversationList.version}`;
  const statements = new TableSql(table, indexedFields(listedRows.indexes));
  const put = database.prepare(statements.put);
  const now = Date.now();
  database.exec('BEGIN');
  for (let index = 0; index < conversations; index++) {
    const conversation_id = newId();
    const user_id = `01K0000000000000000000${String(index % USERS).padStart(4, '0')}`;
    const age = index < expired ? 400 * DAY : (index % 300) * DAY;
    const times = { started_at: now - age, last_message_at: now - age, last_message_id: conversation_id };
    const row = {
      conversation_id,
      user_id,
      holder: user_id,
      bot_id: null,
      title: `s1.${'t'.repeat(100)}`,
      ...times,
      list: user_id,
      model: 'm',
    };
    put.run(...statements.putOf(conversation_id, row).params);
  }
  database.exec('COMMIT');
  database.close();
}

const first = await start();
await first.host.shutdown.run();
seed(join(directory, 'inference.db'));
const { host, app } = await start();
const commands = app.get(CommandBus, { strict: false });
const rounds = app.get(RetentionRounds, { strict: false });
const context = RequestContext.background();
const within = (work) => RequestContext.run(context, work);
const userId = newId();
// Used in turn, so that no two commands change one stream at the same time.
const changed = Array.from({ length: 200 }, () => newId());
const started = { type: 'ConversationStarted', userId, botId: null, title: 's1.t' };
const metadata = within(() => RequestContext.metadata(Date.now()));
const store = app.get(EventStore, { strict: false });
for (const id of changed) await store.append({ stream: `conversation-${id}`, expected: 0, events: [started], metadata });

/** Sends a command every ten milliseconds until `isOver`. Returns the time of each, counted from when it was due. */
async function commandsUntil(isOver) {
  const times = [];
  const begin = performance.now();
  const running = [];
  for (let index = 0; !isOver(); index++) {
    const due = begin + index * EVERY_MS;
    if (due > performance.now()) await pause(due - performance.now());
    const change = new ExecuteConversation(changed[index % changed.length], { type: 'SetTitle', userId, title: `s1.${index}` });
    running.push(within(() => commands.execute(change)).then(() => times.push(performance.now() - due)));
  }
  await Promise.all(running);
  return times;
}

const forSeconds = (seconds) => {
  const end = performance.now() + seconds * 1_000;
  return () => performance.now() > end;
};
await commandsUntil(forSeconds(2));
const quiet = await commandsUntil(forSeconds(quietSeconds));
const terms = { inactiveDays: 365, scope: { appliesTo: 'all' }, isEnabled: true };
await within(() => commands.execute(new ExecuteRetention({ type: 'Create', ruleId: newId(), terms, now: Date.now() })));
// Called once for each conversation that the round finds.
let found = 0;
const expireBy = rounds.removal.expireBy.bind(rounds.removal);
rounds.removal.expireBy = (...args) => (found++, expireBy(...args));
let isOver = false;
const begin = performance.now();
const busy = commandsUntil(() => isOver);
await within(() => rounds.deleteInactive());
const seconds = (performance.now() - begin) / 1_000;
isOver = true;
const during = await busy;
await host.shutdown.run();
await rm(directory, { recursive: true });
const of = (times) => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
process.send({ found, seconds, quiet: of(quiet), during: of(during), commands: during.length }, () => process.exit());
