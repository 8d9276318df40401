// Inference and analytics in this process: writes an hour of conversations to the log, and exports it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadConfig } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { EventStore, firstIdAt, newId } from '@parlance/event-store';
import { Clock, openHost, startService } from '@parlance/foundation';
import { KeysOfUsers } from '@parlance/foundation/harness';
import { RequestContext } from '@parlance/observability';
import { Projector } from '@parlance/read-models';
import { Vault } from '@parlance/privacy';
import { QueryBus } from '@nestjs/cqrs';
import { hourAt } from '../../apps/analytics/dist/domain/export-period.js';
import { HourOf } from '../../apps/analytics/dist/projections/exports/export-index.js';
import { ExportsOf } from '../../apps/analytics/dist/projections/exports/export-rows.js';
import { analytics } from '../../apps/analytics/dist/service.js';
import { ExportQueries } from '../../apps/analytics/dist/workflows/exports/export-queries.js';
import { ExportWriter } from '../../apps/analytics/dist/workflows/exports/export-writer.js';
import { conversationSubject } from '../../apps/inference/dist/commands/conversation-subject.js';
import { inference } from '../../apps/inference/dist/service.js';

const MIB = 1024 * 1024;
const AT_ONCE = 64;
const USERS = 1_000;
const QUESTION = 'How do I file the expenses of a trip that has two parts, of which one was cancelled? '.repeat(2);
const ANSWER = 'File each part of the trip by itself. Name the number of the order, and attach the receipt of the refund. '.repeat(5);

const conversations = Number(process.argv[2]);
const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
process.on('disconnect', () => process.exit());
// The bench starts the export itself.
const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal', PARLANCE_EXPORT_DELAY_MINUTES: '1440' };
const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
for (const name of ['identity', 'bots', 'publication', 'edge'])
  host.published.enter(name, { after: async () => ({ events: [], position: 0, head: 0 }) });
await new KeysOfUsers().enter(host);
const [source, target] = [await startService(inference, host), await startService(analytics, host)];
const of = ({ app }, token) => app.get(token, { strict: false });
const [store, vault, clock] = [of(source, EventStore), of(source, Vault), of(source, Clock)];
const users = Array.from({ length: USERS }, newId);
const begun = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const usage = { inputTokens: 100, outputTokens: 200, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const idInHour = () => firstIdAt(begun + Math.floor(Math.random() * 3_600_000)) + newId().slice(-16);

async function converse(n) {
  const [conversationId, messageId, replyId, userId] = [newId(), idInHour(), idInHour(), users[n % USERS]];
  const subject = conversationSubject(conversationId, userId);
  await vault.sealing(subject, ({ text, companions }) => {
    const place = { replyId, model: 'm', userId, botId: null };
    const events = [
      { type: 'ConversationStarted', userId, botId: null, title: text('A trip') },
      { type: 'MessageSubmitted', ...place, messageId, parentId: null, content: text(`${n} ${QUESTION}`) },
      { type: 'ReplyCompleted', ...place, content: text(ANSWER), usage, costNanoDollars: 1_000 },
    ];
    const metadata = RequestContext.run(RequestContext.background(), () => RequestContext.metadata(clock.now()));
    return store.append({ stream: `conversation-${conversationId}`, expected: 0, events, metadata, companions });
  });
}

let left = conversations;
const seeding = performance.now();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (left > 0) await converse(left--);
  }),
);
const seedSeconds = (performance.now() - seeding) / 1_000;
const hour = hourAt(Instant.ofMillis(begun));
const queries = of(target, QueryBus);
const ask = (question) => RequestContext.run(RequestContext.background(), () => queries.execute(question));
const hours = async () => (await ask(new HourOf(hour)))?.changes ?? 0;
// If an hour begins during the bench, some costs are in the next hour.
for (let before = -1, now = await hours(); now < 2 * conversations && before !== now; before = now, now = await hours()) await pause(3_000);
const changes = await hours();
// Wait for the other read models too, so that their work on the seeded conversations does not count.
const pending = async () => {
  const lags = await of(target, Projector).lag();
  const topics = await Promise.all(lags.flatMap(({ group }) => (group === null ? [] : [host.broker.lag(group)])));
  return [...lags, ...topics.flat()].reduce((sum, each) => sum + each.behind, 0);
};
for (let quiet = 0; quiet < 3; quiet = (await pending()) === 0 ? quiet + 1 : 0) await pause(1_000);

globalThis.gc?.();
const before = process.memoryUsage.rss();
let peak = before;
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// Checked every millisecond. Excludes the time in which other processes have the processor.
let [busiest, lookedAt] = [0, process.threadCpuUsage()];
const looks = setInterval(() => {
  const now = process.threadCpuUsage();
  busiest = Math.max(busiest, now.user + now.system - lookedAt.user - lookedAt.system);
  lookedAt = now;
}, 1);
const cpu = process.cpuUsage();
const start = performance.now();
const written = await RequestContext.run(RequestContext.background(), () => of(target, ExportWriter).write(hour, changes));
const seconds = (performance.now() - start) / 1_000;
delay.disable();
clearInterval(watch);
clearInterval(looks);
const { user, system } = process.cpuUsage(cpu);
const row = (await ask(new ExportsOf([hour]))).get(hour);
const sql = "SELECT count(*) FROM parlance_conversations WHERE MessageMap LIKE '%cancelled%' AND MessageMap LIKE '%refund%'";
const whole = JSON.parse(await RequestContext.run(RequestContext.background(), () => of(target, ExportQueries).answer(sql, 2))).rows[0][0];
await host.shutdown.run();
await rm(directory, { recursive: true });
process.send(
  {
    isWritten: written,
    rows: row?.written?.rows ?? 0,
    whole,
    megabytes: (row?.written?.bytes ?? 0) / 1e6,
    seconds,
    seedSeconds,
    cpuMicros: (user + system) / conversations,
    grown: (peak - before) / MIB,
    blocked: delay.max / 1e6,
    busiest: busiest / 1_000,
  },
  () => process.exit(),
);
