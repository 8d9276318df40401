// Runs analytics in this process, with read models built from generated logs of the other services. It answers requests until it is stopped.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { loadConfig } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { openHost, startService } from '@parlance/foundation';
import { KeysOfUsers } from '@parlance/foundation/harness';
import { STATEMENT_HEADER } from '@parlance/http';
import { topicOf } from '@parlance/messaging';
import { RequestContext } from '@parlance/observability';
import { Projector } from '@parlance/read-models';
import { ExecuteBudget } from '../../apps/analytics/dist/commands/aggregates.js';
import { RecordAuditEntry } from '../../apps/analytics/dist/commands/audit-trail.js';
import { exportIndex } from '../../apps/analytics/dist/projections/exports/export-index.js';
import { NewestOfSpend, spend } from '../../apps/analytics/dist/projections/spend.js';
import { analytics } from '../../apps/analytics/dist/service.js';
import { foldIntoRows } from '../load/fold-into-rows.mjs';
import { enterOthers } from '../load/services-beside-analytics.mjs';
import { BOTS, botOf, eventOf, UsageLogs, userOf, USERS } from '../load/usage-log.mjs';
import { percentile } from '../measure/figures.mjs';

const AT_ONCE = 64;
const BUDGETS = 50;
/** The number of conversations per entry of the audit log. */
const PER_ENTRY = 10;

const conversations = Number(process.argv[2]);
const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
process.on('disconnect', () => process.exit());
// The generated logs have no content that could be exported.
const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal', PARLANCE_EXPORT_DELAY_MINUTES: '1440' };
const keys = new KeysOfUsers();
const end = Date.now();
const logs = new UsageLogs(conversations, end, (userId, text) => keys.seal(userId, text));

/** Starts analytics with the logs of the other services, and waits until its read models have read them. */
async function start(withUsage) {
  const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
  await keys.enter(host);
  await enterOthers(host);
  for (const name of ['identity', 'bots', 'publication']) host.published.enter(name, logs.log(name));
  const empty = { after: async () => ({ events: [], position: 0, head: 0 }), positionAt: async () => 1 };
  host.published.enter('edge', empty);
  host.published.enter('inference', withUsage ? logs.log('inference') : empty);
  const { app, instance } = await startService(analytics, host);
  while (app.get(Projector, { strict: false }).ready().length > 0) await pause(20);
  return { host, app, instance };
}

const measured = async (work) => {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (performance.now() - begin) / 1_000, cpuSeconds: (user + system) / 1e6 };
};

// Either the service reads the logs itself, or the rows are written into its file while it is stopped.
const isRead = process.argv[3] === 'read';
let filled;
if (!isRead) {
  const { host } = await start(false);
  await host.shutdown.run();
  filled = await measured(() => foldIntoRows(join(directory, 'analytics.db'), [spend, exportIndex], logs.all()));
}
const started = await measured(() => start(isRead));
const { host, app, instance } = started.result;
const of = (token) => app.get(token, { strict: false });

const context = RequestContext.background();
const within = (work) => RequestContext.run(context, work);
const run = (command) => within(() => of(CommandBus).execute(command));

/** Audit entries of many users on many bots, evenly over the time of the logs. */
async function record(index, entries) {
  const id = newId();
  const entry = {
    id,
    user_id: userOf((index * 7) % USERS),
    action_type: index % 3 === 0 ? 'create_bot' : 'modify_bot',
    resource_type: 'bot',
    resource_id: botOf((index * 13) % BOTS),
    timestamp: Math.floor((logs.begin + (index * (end - logs.begin)) / entries) / 1_000),
    details: {},
    ip_address: null,
    user_agent: null,
    success: index % 50 !== 0,
    error_message: index % 50 === 0 ? 'bot_not_found' : null,
  };
  await run(
    new RecordAuditEntry({ specversion: '1.0', id, source: '/bots', type: 'parlance.bots.bot-created.v1', subject: id, data: {} }, entry),
  );
}

const entries = Math.ceil(conversations / PER_ENTRY);
const recording = performance.now();
let left = entries;
const recorder = async () => {
  while (left > 0) await record(entries - left--, entries);
};
await Promise.all(Array.from({ length: AT_ONCE }, recorder));
const recordSeconds = (performance.now() - recording) / 1_000;
for (let index = 0; index < BUDGETS; index++) {
  const terms = { scope: 'user', scopeId: userOf(index), period: 'MONTH', limit: 1e12, mode: 'soft' };
  await run(new ExecuteBudget(newId(), { type: 'Set', terms }));
}
await app.listen(0, '127.0.0.1');

/** Headers of a request that the edge forwards for an administrator, or for a user. */
function headersOf(sub, groups) {
  const rid = newId();
  const statement = { sub, groups, sid: 'session', kind: 'user', ip: '203.0.113.9', ua: 'bench/1', rid, cid: rid };
  return { [STATEMENT_HEADER]: host.statements.sign(statement, Instant.ofMillis(Date.now())) };
}

/** Publishes charges at an even pace. A lag is the time from the call that publishes an event until `as_of` of the figures includes it. */
async function lags({ perSecond, seconds }) {
  const publisher = await host.broker.publisher('bench.inference');
  const [total, sent, found] = [perSecond * seconds, [], []];
  const first = logs.turns;
  const begin = performance.now();
  const before = process.cpuUsage();
  let included = 0;
  const look = async () => {
    while (included < total && performance.now() - begin < 1_000 * (seconds + 60)) {
      const newest = await within(() => of(QueryBus).execute(new NewestOfSpend()));
      const now = performance.now();
      for (; included < newest.position - first; included++) found.push(now - sent[included]);
      await pause(5);
    }
  };
  const looking = look();
  const pending = [];
  for (let next = 0; next < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - begin) * perSecond) / 1_000) + 1);
    const messages = [];
    for (; next < due; next++) {
      const [, completed] = [...logs.commit(next % logs.turns)];
      const event = eventOf('inference', 'reply-completed', completed.subject, Date.now(), `${first + 1 + next}.0`, completed.data);
      sent.push(performance.now());
      messages.push({ topic: topicOf(event.type), key: event.subject, event });
    }
    if (messages.length > 0) pending.push(publisher.send(messages));
    await pause(1);
  }
  await Promise.all(pending);
  await looking;
  await publisher.close();
  const { user, system } = process.cpuUsage(before);
  return {
    lost: total - included,
    cpuMicros: (user + system) / included,
    p50: percentile(found, 0.5),
    p99: percentile(found, 0.99),
    max: Math.max(...found),
  };
}

const delay = monitorEventLoopDelay({ resolution: 1 });
let cpu = process.cpuUsage();
const answers = {
  watch() {
    cpu = process.cpuUsage();
    delay.reset();
    delay.enable();
  },
  blocked() {
    delay.disable();
    const { user, system } = process.cpuUsage(cpu);
    return { longest: delay.max / 1e6, cpuMillis: (user + system) / 1_000 };
  },
  headers: () => ({
    admin: headersOf(userOf(0), ['Admin']),
    users: Array.from({ length: 20 }, (_, index) => headersOf(userOf(index * 500), [])),
  }),
  lags,
  totals: () => logs.totals(),
  async end() {
    await host.shutdown.run();
    await rm(directory, { recursive: true, maxRetries: 3 });
    process.send({ answer: null }, () => process.exit());
  },
};
process.on('message', async ({ ask, ...more }) => process.send({ answer: (await answers[ask](more)) ?? null }));
const url = `http://127.0.0.1:${instance.server.address().port}`;
const { seconds, cpuSeconds } = filled ?? started;
process.send({ url, seconds, cpuSeconds, recordSeconds, entries, begin: logs.begin, end });
