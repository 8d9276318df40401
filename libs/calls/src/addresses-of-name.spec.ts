import { expect, it } from '@jest/globals';
import { replicasAt } from './addresses-of-name.ts';

it.each(['http://127.0.0.1:8080', 'http://[::1]:8080', 'https://bots.example.org', 'http://localhost:8080'])(
  '%s stays as it is',
  async (address) => {
    expect(await replicasAt(address)).toEqual([address]);
  },
);
