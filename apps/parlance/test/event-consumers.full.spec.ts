import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BotCreated, ReplyCompleted } from '@parlance/contracts';
import type { Broker, CloudEvent } from '@parlance/messaging';
import { openKafkaBroker } from '@parlance/messaging/kafka';
import { kafka, type KafkaBroker, kafkaPython, missing, waitFor } from '@parlance/testing';

const lacking = missing('kafka') ?? missing('kafka-python');
const described = lacking === null ? describe : describe.skip;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

described(`the examples of consumers${lacking === null ? '' : ` (${lacking})`}`, () => {
  let server: KafkaBroker;
  let broker: Broker;
  let python: string;
  let running: ChildProcess[] = [];

  const commands = {
    TypeScript: () => [process.execPath, '--disable-warning=TimeoutNegativeWarning', 'examples/consumers/read-events.ts'],
    Python: () => [python, 'examples/consumers/read_events.py'],
  } as const;

  /** Starts an example and collects the lines of its output. */
  const start = (language: keyof typeof commands, group: string) => {
    const [command, ...args] = commands[language]() as [string, ...string[]];
    const child = spawn(command, [...args, group, ...server.brokers], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    running.push(child);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    return { child, lines };
  };
  const send = async (...events: readonly { id: string; type: string; data: object }[]) => {
    const publisher = await broker.publisher('test.consumers');
    const outgoing = events.map(({ id, type, data }) => {
      const [, service] = type.split('.');
      const event: CloudEvent = {
        specversion: '1.0',
        id,
        source: `/${service}`,
        type,
        subject: 's',
        time: '2026-01-01T00:00:00Z',
        datacontenttype: 'application/json',
        sequence: '1.0',
        data,
      };
      return { topic: `parlance.${service}`, key: 's', event };
    });
    await publisher.send(outgoing);
    await publisher.close();
  };
  const bot = (id: string) => ({
    id,
    type: BotCreated.type,
    data: BotCreated.schema.parse({ bot_id: `b-${id}`, owner_user_id: 'ann' }),
  });
  const reply = (id: string) => ({
    id,
    type: ReplyCompleted.type,
    data: ReplyCompleted.schema.parse({
      conversation_id: 'c',
      user_id: 'ann',
      bot_id: null,
      model: 'm',
      reply_id: `r-${id}`,
      usage,
      cost_nano_dollars: 7,
    }),
  });

  beforeAll(async () => {
    server = await kafka({ isOwn: true });
    broker = await openKafkaBroker({ brokers: server.brokers, clientId: 'test' });
    await broker.ensureTopics(['parlance.bots', 'parlance.inference']);
    python = await kafkaPython();
    await send(bot('1'), reply('2'), bot('1'), { id: '3', type: 'parlance.bots.bot-unheard-of.v1', data: {} });
  });
  afterEach(async () => {
    for (const child of running) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
    running = [];
  });
  afterAll(async () => {
    await broker?.close();
    await server?.stop();
  });

  it.each(['TypeScript', 'Python'] as const)('in %s handles each event once, and continues after a stop', async (language) => {
    const group = `reports-${language}`;
    const first = start(language, group);
    // Topics are read in any order, and the topic of bots has more events after the first language.
    await waitFor(async () => ['1 bot b-1 of ann', '2 reply r-2 cost 7'].every((line) => first.lines.includes(line)), {
      what: 'both lines',
    });
    // The first event was sent twice, and one event has a type that is unknown to the example.
    expect(first.lines.filter((line) => /^[13] /.test(line))).toHaveLength(1);
    // The example prints a line before it commits the offset of the event. The line of the next event shows that the offset is committed.
    await send(reply(`${language}-3`));
    await waitFor(async () => first.lines.some((line) => line.startsWith(`${language}-3 `)), { what: 'the next reply' });
    first.child.kill();
    await once(first.child, 'exit');
    await send(bot(`${language}-4`));
    const second = start(language, group);
    await waitFor(async () => second.lines.includes(`${language}-4 bot b-${language}-4 of ann`), { what: 'the new event' });
    expect(second.lines.filter((line) => line.startsWith('2 '))).toEqual([]);
  });
});
