import type { KafkaMessage, Message, Producer } from 'kafkajs';
import { DEAD_LETTER_BYTES, type DeadLetter } from '../broker.ts';
import { whenReady } from './errors.ts';
import { BYTES_AT_ONCE, claimName, inTransaction } from './publisher.ts';
import { readToEnd, type Reading } from './reader.ts';
import { deadLetterMessage, deadLetterOf, deadLettersOf, idOf, type KafkaRecord, recordOf, redriveMessage, redriveOf } from './record.ts';

/** Open letters: the offset of each, by its id, oldest first. */
type Open = ReadonlyMap<string, string>;

/**
 * A group's dead letters: a compacted topic of one partition, keyed by the first offset of the record. An empty value ends a letter. It is
 * read twice: first for the IDs of open letters, then for the wanted letters, so that only these are in memory.
 */
export class KafkaLetters {
  readonly #reading: Omit<Reading, 'groupId'>;
  readonly #open = new Map<string, { readonly end: string; readonly open: Open }>();
  /** Reads in this process run one after the other, because all reads of a group share a consumer name. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(reading: Omit<Reading, 'groupId'>) {
    this.#reading = reading;
  }

  async add(producer: Producer, group: string, record: KafkaRecord, reason: string): Promise<void> {
    await producer.send({ topic: deadLettersOf(group), acks: -1, messages: [deadLetterMessage(record, reason)] });
  }

  /** Reads the topic only when it has grown since the last time. */
  count(group: string): Promise<number> {
    return this.#inTurn(async () => (await this.#openOf(group)).size);
  }

  read(group: string, limit: number, after = '-1'): Promise<readonly DeadLetter[]> {
    return this.#inTurn(async () => {
      const open = [...(await this.#openOf(group))].filter(([, offset]) => BigInt(offset) > BigInt(after));
      const ids = open.slice(0, limit).map(([id]) => id);
      const letters: DeadLetter[] = [];
      let bytes = 0;
      await this.#visit(group, ids, (message) => {
        letters.push(deadLetterOf(group, message));
        bytes += message.value?.length ?? 0;
        return bytes < DEAD_LETTER_BYTES;
      });
      return letters;
    });
  }

  redrive(group: string, ids: readonly string[] | undefined): Promise<number> {
    return this.#inTurn(async () => {
      const wanted = ids && new Set(ids);
      const chosen = async () => [...(await this.#openOf(group)).keys()].filter((id) => wanted?.has(id) ?? true);
      // Claiming the name would end a redrive of another process.
      if ((await chosen()).length === 0) return 0;
      const producer = this.#reading.kafka.producer({
        transactionalId: redriveOf(group),
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
      });
      await producer.connect();
      try {
        // Until an earlier redrive has ended in all topics, its letters still look open, and would be sent again.
        await claimName(producer);
        return await this.#redriveIn(producer, group, await chosen());
      } finally {
        await producer.disconnect();
      }
    });
  }

  /** In transactions of bounded size. A letter is either open or being redriven, never both. */
  async #redriveIn(producer: Producer, group: string, ids: readonly string[]): Promise<number> {
    let records: KafkaRecord[] = [];
    let bytes = 0;
    let count = 0;
    const flush = async () => {
      if (records.length === 0) return;
      const ends: Message[] = records.map((record) => ({ key: idOf(record), value: null }));
      await inTransaction(producer, [
        [
          { topic: redriveOf(group), messages: records.map(redriveMessage) },
          { topic: deadLettersOf(group), messages: ends },
        ],
      ]);
      count += records.length;
      [records, bytes] = [[], 0];
    };
    await this.#visit(group, ids, async (message) => {
      const record = recordOf('', 0, message);
      records.push(record);
      bytes += record.value.length;
      if (bytes >= BYTES_AT_ONCE) await flush();
    });
    await flush();
    return count;
  }

  async #openOf(group: string): Promise<Open> {
    const topic = deadLettersOf(group);
    const [{ high: end } = { high: '0' }] = await whenReady(() => this.#reading.admin.fetchTopicOffsets(topic));
    const known = this.#open.get(group);
    if (known?.end === end) return known.open;
    const open = new Map<string, string>();
    await readToEnd({ ...this.#reading, groupId: readerOf(group) }, [topic], (_, __, { key, value, offset }) => {
      const id = key?.toString() ?? '';
      open.delete(id);
      if (value !== null) open.set(id, offset);
    });
    this.#open.set(group, { end, open });
    return open;
  }

  /** Visits open letters once each, oldest first. */
  async #visit(group: string, ids: readonly string[], visit: (message: KafkaMessage) => Promise<boolean | void> | boolean | void) {
    const open = await this.#openOf(group);
    const wanted = new Map(ids.map((id) => [id, open.get(id)]));
    if (wanted.size === 0) return;
    await readToEnd({ ...this.#reading, groupId: readerOf(group) }, [deadLettersOf(group)], async (_, __, message) => {
      const id = message.key?.toString() ?? '';
      if (wanted.get(id) !== message.offset) return undefined;
      wanted.delete(id);
      return (await visit(message)) !== false && wanted.size > 0;
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

const readerOf = (group: string) => `${group}.reader`;
