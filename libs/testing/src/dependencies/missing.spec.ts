import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { missing } from './missing.ts';

const before = { ...process.env };
let empty: string;

beforeEach(() => {
  empty = mkdtempSync(join(tmpdir(), 'parlance-empty-'));
  for (const name of ['MONGODB_URI', 'KAFKA_BROKERS', 'CI']) delete process.env[name];
  process.env.TEST_CACHE = empty;
  process.env.PATH = empty;
});
afterEach(() => {
  for (const name of ['MONGODB_URI', 'KAFKA_BROKERS', 'CI', 'TEST_CACHE', 'PATH']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  rmSync(empty, { recursive: true });
});

describe('a machine without Java and Python', () => {
  it('states why there is no Kafka', () => expect(missing('kafka')).toMatch(/^A real Kafka needs Java 17/));
  it('states why there is no database', () => expect(missing('mongo')).toMatch(/needs Python 3/));
  it('states why there is no object store', () => expect(missing('s3')).toMatch(/needs Python 3/));
  it('states why there is no Parquet reader', () => expect(missing('parquet')).toMatch(/needs Python 3/));

  it('lacks nothing if the environment names the servers', () => {
    process.env.MONGODB_URI = 'mongodb://db.test';
    process.env.KAFKA_BROKERS = 'broker.test:9092';
    expect(missing('mongo')).toBeNull();
    expect(missing('kafka')).toBeNull();
  });

  it('throws with CI=true', () => {
    process.env.CI = 'true';
    expect(() => missing('kafka')).toThrow('With CI=true that is a failure, not a skip.');
  });
});
