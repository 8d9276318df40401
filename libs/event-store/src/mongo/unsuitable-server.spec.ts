import { expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import { openMongoEventStore } from './mongo-event-store.ts';

/** Opens a store on a server that reports these properties, and then accepts nothing. */
const opening = (hello: object) =>
  openMongoEventStore({
    command: async () => hello,
    collection: () => {
      throw new Error('it was accepted');
    },
  } as unknown as Db);

it.each([
  [
    'a server before MongoDB 8.0',
    { setName: 'rs', maxWireVersion: 21 },
    /MongoDB 8\.0 or newer is required; this server speaks version 21/,
  ],
  ['a single server', { maxWireVersion: 27 }, /runs as a single server; a replica set is required/],
])('a store is not opened on %s', (_, hello, reason) => expect(opening(hello)).rejects.toThrow(reason));

it.each([
  ['a replica set', { setName: 'rs', maxWireVersion: 27 }],
  ['a router of a sharded cluster', { msg: 'isdbgrid', maxWireVersion: 27 }],
])('a store is opened on %s', (_, hello) => expect(opening(hello)).rejects.toThrow('it was accepted'));
