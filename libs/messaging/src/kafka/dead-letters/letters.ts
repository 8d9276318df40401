import type { Message, Producer } from 'kafkajs';
import { DEAD_LETTER_BYTES, type DeadLetter } from '../../broker.ts';
import { whenReady } from '../errors.ts';
import { BYTES_AT_ONCE, claimName, inTransaction } from '../publisher.ts';
import { readToEnd, type Reading, type Visit } from './reader.ts';
import { deadLetterMessage, deadLetterOf, deadLettersOf, idOf, type KafkaRecord, recordOf, redriveMessage, redriveOf } from '../record.ts';

/** The offset of each open letter, by its ID, oldest first. */
type Open = ReadonlyMap<string, number>;

interface Known {
  readonly open: Map<string, number>;
  /** How far the topic was read, and when. */
  readonly end: number;
  readonly at: number;
}

/** Kafka removes the end of a letter from a compacted topic after a day or more. A process that asks later reads the whole topic again. */
const ENDS_KEPT_MILLIS = 3_600_000;

/**
 * A group's dead letters: a compacted topic of one partition, keyed by the first offset of the record. An empty value ends a letter. Only the IDs and
 * offsets of open letters are in memory, and only what was added to the topic is read again. The letters are read from the first wanted offset.
 */
export class KafkaLetters {
  readonly #reading: Omit<Reading, 'groupId'>;
  readonly #known = new Map<string, Known>();
  /** Reads in this process run one after the other, because all reads of a group share a consumer name. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(reading: Omit<Reading, 'groupId'>) {
    this.#reading = reading;
  }

  async add(producer: Producer, group: string, record: KafkaRecord, reason: string): Promise<void> {
    await producer.send({ topic: deadLettersOf(group), acks: -1, messages: [deadLetterMessage(record, reason)] });
  }

  count(group: string): Promise<number> {
    return this.#inTurn(async () => (await this.#openOf(group)).size);
  }

  read(group: string, limit: number, after = '-1'): Promise<readonly DeadLetter[]> {
    return this.#inTurn(async () => {
      const letters: DeadLetter[] = [];
      let bytes = 0;
      await this.#visit(group, await this.#openOf(group), Number(after), (message) => {
        letters.push(deadLetterOf(group, message));
        bytes += message.value?.length ?? 0;
        return letters.length < limit && bytes < DEAD_LETTER_BYTES;
      });
      return letters;
    });
  }

  redrive(group: string, ids: readonly string[] | undefined): Promise<number> {
    return this.#inTurn(async () => {
      const chosen = async () => chosenOf(await this.#openOf(group), ids);
      // Claiming the name would end a redrive of another process.
      if ((await chosen()).size === 0) return 0;
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
  async #redriveIn(producer: Producer, group: string, chosen: Open): Promise<number> {
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
    await this.#visit(group, chosen, -1, async (message) => {
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
    const at = Date.now();
    const [{ high } = { high: '0' }] = await whenReady(() => this.#reading.admin.fetchTopicOffsets(topic));
    const end = Number(high);
    let known = this.#known.get(group);
    // A topic that is shorter than before is another one.
    if (!known || end < known.end || (end > known.end && at - known.at > ENDS_KEPT_MILLIS)) known = { open: new Map(), end: 0, at };
    const { open } = known;
    if (end > known.end)
      await this.#read(group, known.end, ({ key, value, offset }) => {
        const id = key?.toString() ?? '';
        open.delete(id);
        if (value !== null) open.set(id, Number(offset));
      });
    this.#known.set(group, { open, end, at });
    return open;
  }

  /** Visits the letters after an offset once each, oldest first. */
  async #visit(group: string, letters: Open, after: number, visit: Visit): Promise<void> {
    const { value: first } = letters.values().next();
    if (first === undefined) return;
    let last = after;
    let left = letters.size;
    await this.#read(group, Math.max(first, after + 1), async (message) => {
      const offset = Number(message.offset);
      if (offset <= last || letters.get(message.key?.toString() ?? '') !== offset) return undefined;
      last = offset;
      left -= 1;
      return (await visit(message)) !== false && left > 0;
    });
  }

  #read(group: string, from: number, visit: Visit): Promise<void> {
    return readToEnd({ ...this.#reading, groupId: `${group}.reader` }, deadLettersOf(group), from, visit);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** The open letters among these. */
function chosenOf(open: Open, ids: readonly string[] | undefined): Open {
  if (!ids) return open;
  const chosen = [...new Set(ids)]
    .map((id) => [id, open.get(id)] as const)
    .filter((each): each is [string, number] => each[1] !== undefined);
  return new Map(chosen.toSorted(([, one], [, other]) => one - other));
}
