import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { KafkaMessage } from 'kafkajs';
import { KafkaLetters } from './letters.ts';

const PAGE = 100;

describe('dead letters in a topic', () => {
  let topic: KafkaMessage[];
  /** The offsets of the messages that were read. */
  let read: number[];
  /** After this many messages, a reading starts over once. */
  let startsOver: { after: number };
  let letters: KafkaLetters;
  beforeEach(() => {
    [topic, read, startsOver] = [[], [], { after: Infinity }];
    letters = new KafkaLetters({
      kafka: { consumer: () => consumerOf(topic, read, startsOver) } as never,
      admin: { fetchTopicOffsets: async () => [{ partition: 0, low: '0', high: end() }] } as never,
      consumer: {},
    });
  });

  const end = () => String(Number(topic.at(-1)?.offset ?? -1) + 1);
  const add = (id: number, value: Buffer | null = Buffer.from('{}')) =>
    topic.push({ key: Buffer.from(`topic/0/${id}`), value, offset: end() } as KafkaMessage);
  const placesOf = async (limit: number, after?: string) => (await letters.read('group', limit, after)).map(({ place }) => Number(place));
  const readBy = async (work: () => Promise<unknown>) => {
    read.length = 0;
    await work();
    return [...read];
  };

  it('are counted by what was added, changed and ended since the last time', async () => {
    for (let id = 0; id < 1_000; id += 1) add(id);
    expect(await letters.count('group')).toBe(1_000);
    expect(await readBy(() => letters.count('group'))).toEqual([]);
    add(5);
    add(7, null);
    add(1_000);
    expect(await readBy(async () => expect(await letters.count('group')).toBe(1_000))).toEqual([1_000, 1_001, 1_002]);
  });

  it('are read from the first one of a page to its last one', async () => {
    for (let id = 0; id < 1_000; id += 1) add(id);
    for (let id = 0; id < 500; id += 1) add(id, null);
    await letters.count('group');
    expect(await readBy(async () => expect(await placesOf(3)).toEqual([500, 501, 502]))).toEqual([500, 501, 502]);
    expect(await readBy(async () => expect(await placesOf(PAGE, '899')).toHaveLength(PAGE))).toHaveLength(PAGE);
    for (let id = 500; id < 1_000; id += 1) add(id, null);
    await letters.count('group');
    expect(await readBy(async () => expect(await placesOf(3)).toEqual([]))).toEqual([]);
  });

  it('are read once each if the reading starts over, because another one of the group begins or ends', async () => {
    for (let id = 0; id < 20; id += 1) add(id);
    await letters.count('group');
    startsOver.after = 5;
    const all = Array.from({ length: 20 }, (_, id) => id);
    expect(await readBy(async () => expect(await placesOf(PAGE)).toEqual(all))).toEqual([...all.slice(0, 5), ...all]);
  });

  it('are all read again if ends may have been removed meanwhile, or if the topic is another one', async () => {
    for (let id = 0; id < 3; id += 1) add(id);
    await letters.count('group');
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 3_600_000);
    // Nothing was added, so nothing was ended.
    expect(await readBy(async () => expect(await letters.count('group')).toBe(3))).toEqual([]);
    now.mockReturnValue(Date.now() + 2 * 3_600_000);
    add(0, null);
    add(3);
    // The topic was compacted: neither the letter nor its end is left.
    topic.splice(3, 1);
    topic.splice(0, 1);
    expect(await readBy(async () => expect(await letters.count('group')).toBe(3))).toEqual([1, 2, 4]);
    now.mockRestore();
    topic.length = 0;
    add(9);
    expect(await letters.count('group')).toBe(1);
  });
});

/** Reads the topic like a consumer of kafkajs that is alone in its group, in batches of ten messages. */
function consumerOf(topic: readonly KafkaMessage[], read: number[], startsOver: { after: number }) {
  const listeners = new Map<string, (event: object) => void>();
  let from = 0;
  let stopped = false;
  const run = async ({ eachMessage }: { eachMessage: (payload: object) => Promise<void> }) => {
    listeners.get('join')!({});
    const fetch = async (): Promise<void> => {
      const messages = topic.filter(({ offset }) => Number(offset) >= from);
      for (let start = 0; start < messages.length; start += 10) {
        const batch = messages.slice(start, start + 10);
        for (const message of batch) {
          await setImmediate();
          if (stopped) return;
          read.push(Number(message.offset));
          await eachMessage({ message });
          if (read.length < startsOver.after) continue;
          startsOver.after = Infinity;
          listeners.get('join')!({});
          return fetch();
        }
        listeners.get('batch')!({ payload: { lastOffset: batch.at(-1)!.offset } });
      }
    };
    void fetch();
  };
  return {
    events: { CRASH: 'crash', GROUP_JOIN: 'join', END_BATCH_PROCESS: 'batch' },
    on: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    seek: ({ offset }: { offset: string }) => (from = Number(offset)),
    connect: async () => undefined,
    subscribe: async () => undefined,
    run,
    disconnect: async () => void (stopped = true),
  };
}
