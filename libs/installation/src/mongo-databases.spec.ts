import { expect, it } from '@jest/globals';
import { clientOf } from './mongo-databases.ts';

const optionsOf = (query: string) => {
  const { appName, socketTimeoutMS, waitQueueTimeoutMS } = clientOf(`mongodb://db/parlance${query}`, 'bots').options;
  return { appName, socketTimeoutMS, waitQueueTimeoutMS };
};

it('no operation waits for an answer or a connection without end', () =>
  expect(optionsOf('')).toEqual({ appName: 'parlance-bots', socketTimeoutMS: 60_000, waitQueueTimeoutMS: 30_000 }));

it('the address may set other limits', () =>
  expect(optionsOf('?socketTimeoutMS=300000&waitQueueTimeoutMS=1000')).toMatchObject({
    socketTimeoutMS: 300_000,
    waitQueueTimeoutMS: 1_000,
  }));
