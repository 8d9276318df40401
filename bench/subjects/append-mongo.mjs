// Runs one side of the comparison: the event store, or the driver's insertOne of the same documents.
import { openMongoEventStore } from '@parlance/event-store/mongo';
import { MongoClient } from 'mongodb';
import { event, keepWriting, metadata, recorded } from './writers.mjs';

const [side, uri, name, warmSeconds, seconds] = process.argv.slice(2);
const client = await new MongoClient(uri).connect();
const db = client.db(name);
process.on('disconnect', () => process.exit());

async function store({ awaitsPosition }) {
  const errors = [];
  const events = await openMongoEventStore(db, { onError: (error) => errors.push(String(error)) });
  return {
    async append(stream, expected) {
      const { version } = await events.append({ stream, expected, events: [event], metadata });
      if (awaitsPosition) await events.positionOf(stream, version);
    },
    /** Positions are assigned after the appends. They are awaited only if they are measured. */
    async count() {
      const written = await db.collection('commits').countDocuments();
      return { written, last: awaitsPosition ? await lastWithoutGap(events) : undefined, errors };
    },
  };
}

/** The last position before the first gap. Reads several pages, because a page is limited in bytes. */
async function lastWithoutGap(events) {
  let last = 0;
  for (;;) {
    const page = await events.readAll(last, 1_000);
    if (page.length === 0) return last;
    for (const { position } of page) {
      if (position !== last + 1) return last;
      last = position;
    }
  }
}

const sides = {
  append: () => store({ awaitsPosition: false }),
  visible: () => store({ awaitsPosition: true }),
  async bare() {
    const collection = db.collection('log', { writeConcern: { w: 'majority', journal: true } });
    const texts = { events: recorded, metadata: JSON.stringify(metadata) };
    return {
      append(stream, expected) {
        const version = expected + 1;
        const _id = `${stream}@${String(version).padStart(10, '0')}`;
        return collection.insertOne({ _id, stream, version, ...texts, pending: '01JB3V5QK8ZC2D4E6F8G0H2J4Q' });
      },
      count: async () => ({ written: await collection.countDocuments() }),
    };
  },
};

const { append, count } = await sides[side]();
const figures = await keepWriting(append, { warmSeconds: Number(warmSeconds), seconds: Number(seconds) });
// Does not wait for background work, because the next side has its own server.
process.send({ ...figures, ...(await count()) }, () => process.exit());
