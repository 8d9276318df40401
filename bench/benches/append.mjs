import { fileURLToPath } from 'node:url';
import { database, missing } from '@parlance/testing';
import { LOAD, pin, resultOf } from '../measure/cores.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';

const subject = (name) => fileURLToPath(new URL(`../subjects/${name}.mjs`, import.meta.url));

export async function run({ short }) {
  pin(LOAD);
  const sqlite = await onSqlite(short);
  const lacking = missing('mongo');
  if (lacking) return { ...sqlite, skipped: [`append on MongoDB: ${lacking}`] };
  const mongo = await onMongo(short);
  return { rows: [...sqlite.rows, ...mongo.rows], invariants: [...sqlite.invariants, ...mongo.invariants], notes: mongo.notes };
}

async function onSqlite(short) {
  const [rounds, warmSeconds, seconds] = short ? [1, 0.5, 1] : [3, 1, 4];
  const measure = (side) => resultOf(subject('append-sqlite'), [side, warmSeconds, seconds]);
  const { store, bare } = await inTurn(rounds, ['bare', 'store'], measure);
  const rate = middle(store, 'perSecond');
  const bareRate = middle(bare, 'perSecond');
  return {
    rows: [
      figure('append, SQLite, 64 writers: durable events', rate, '/s', { bar: { atLeast: 10_000 } }),
      figure('  p50 of an append', middle(store, 'p50'), 'ms'),
      figure('  p99 of an append', middle(store, 'p99'), 'ms'),
      figure('  CPU of an append', middle(store, 'cpuMicros'), 'µs'),
      figure('the same bytes by a bare worker, group commit', bareRate, '/s'),
      figure('  CPU of a row', middle(bare, 'cpuMicros'), 'µs'),
      figure('event store ÷ bare worker', rate / bareRate, '', { gate: { atLeast: 0.2 }, against: 'bare node:sqlite worker, same bytes' }),
    ],
    invariants: store.map(({ appended, rows, last }) =>
      invariant(
        'every append on SQLite is one row, positions without gaps',
        appended === rows && rows === last,
        `${appended} appended, ${rows} rows, last position ${last}`,
      ),
    ),
  };
}

async function onMongo(short) {
  const [rounds, warmSeconds, seconds] = short ? [1, 0.3, 1.2] : [2, 1, 5];
  // Each side has its own server, because the event store still assigns positions after the last append.
  const measure = async (side) => {
    const { uri, prefix, stop } = await serverFor();
    return resultOf(subject('append-mongo'), [side, uri, `${prefix}_${side}`, warmSeconds, seconds]).finally(stop);
  };
  const { append, visible, bare } = await inTurn(rounds, ['bare', 'append', 'visible'], measure);
  const rate = middle(append, 'perSecond');
  const visibleRate = middle(visible, 'perSecond');
  const bareRate = middle(bare, 'perSecond');
  const against = "the driver's insertOne, 64 in flight";
  return {
    rows: [
      figure('append, MongoDB, 64 writers: durable events', rate, '/s'),
      figure('  p50 of an append', middle(append, 'p50'), 'ms'),
      figure('  p99 of an append', middle(append, 'p99'), 'ms'),
      figure('  CPU of an append, ours alone', middle(append, 'cpuMicros'), 'µs'),
      figure('the same, each writer awaiting its position', visibleRate, '/s'),
      figure('  p50 until the position can be read', middle(visible, 'p50'), 'ms'),
      figure('  CPU of an append with its position, ours alone', middle(visible, 'cpuMicros'), 'µs'),
      figure("the driver's insertOne, 64 in flight", bareRate, '/s'),
      figure('  CPU of an insertOne, ours alone', middle(bare, 'cpuMicros'), 'µs'),
      figure('append ÷ insertOne', rate / bareRate, '', { bar: { atLeast: 0.6 }, gate: { atLeast: 0.3 }, against }),
      figure('append with its position ÷ insertOne', visibleRate / bareRate, '', { gate: { atLeast: 0.05 }, against }),
    ],
    invariants: [
      ...append.map(({ appended, written }) =>
        invariant('every append on MongoDB is one document', appended === written, `${appended} appended, ${written} documents`),
      ),
      ...visible.map(({ appended, last }) =>
        invariant('every position on MongoDB is given, without gaps', appended === last, `${appended} appended, last position ${last}`),
      ),
      ...[...append, ...visible].map(({ errors }) => invariant('giving positions meets no error', errors.length === 0, errors[0])),
    ],
    notes: process.env.MONGODB_URI ? [] : ['MongoDB is the stand-in of libs/testing here, whose own speed bounds these figures.'],
  };
}

async function serverFor() {
  const server = await database();
  return { uri: server.uri, prefix: server.prefix, stop: () => server.stop() };
}

const middle = (runs, name) => median(runs.map((each) => each[name]));

/** Runs the sides alternately, so that a slow minute of the machine affects all of them. */
async function inTurn(rounds, sides, measure) {
  const runs = Object.fromEntries(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) for (const side of sides) runs[side].push(await measure(side));
  return runs;
}
