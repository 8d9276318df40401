import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { isOutage } from '@parlance/event-store';
import {
  type AnswerInElection,
  answerNext,
  answersInElections,
  type Database,
  database,
  findsPrimarySoon,
  missing,
} from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { type AccountEvent, all, atEnd, both, endAll, oracle, world } from '../../test/accounts.ts';
import type { Failure } from '../errors.ts';
import { Projector } from '../running/projector.ts';
import { openMongoReadModels } from './mongo-read-models.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('an election in the middle of a batch of rows', () => {
  const app = 'rows';
  let server: Database;
  let client: MongoClient;
  let stages = 0;

  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri, { appName: app, ...findsPrimarySoon }).connect();
  });
  afterEach(endAll);
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it.each(Object.keys(answersInElections) as AnswerInElection[])(
    'applies each event once, and stops no projection, if the server %s',
    async (how) => {
      const { store, append } = await world();
      const db = client.db(`${server.prefix}_elections_${(stages += 1)}`);
      atEnd(() => db.dropDatabase());
      const models = await openMongoReadModels(client, db);
      atEnd(() => models.close());
      const failures: Failure[] = [];
      const onError = (failure: Failure) => failures.push(failure);
      const projector = new Projector({ store, models, projections: both, patienceMs: 20_000, onError });
      atEnd(() => projector.stop());
      await projector.start();
      const commits: { stream: string; events: AccountEvent[] }[] = [];
      const happens = async (stream: string, event: AccountEvent) => {
        commits.push({ stream, events: [event] });
        return append(stream, event);
      };
      await happens('a', { type: 'Opened', owner: 'ann' });
      for (const commands of [['find', 'getMore'], ['update'], ['commitTransaction']]) {
        await answerNext(client, { app, commands, times: 3, how });
        const position = await happens('a', { type: 'Deposited', amount: 1 });
        expect(await projector.includes(position)).toEqual({ behind: [] });
      }
      expect(await projector.includes(await happens('a', { type: 'Deposited', amount: 10 }))).toEqual({ behind: [] });
      expect(await all(models)).toEqual(oracle(commits));
      expect(failures.filter(({ error, stopped }) => stopped || !isOutage(error))).toEqual([]);
      expect(await models.parked('accounts', 9)).toEqual([]);
    },
    40_000,
  );
});
