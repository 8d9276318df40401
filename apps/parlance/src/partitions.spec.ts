import { describe, expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import { partitions } from './partitions.ts';

describe('parlance partitions', () => {
  // The command is refused before anything is opened.
  it.each([[[]], [['0']], [['-3']], [['12.5']], [['1001']], [['twelve']]])('refuses %j as a number', async (words) =>
    expect(partitions(new Config(), words)).rejects.toThrow('name the number of partitions, from 1 to 1000'),
  );
  it('refuses an installation without Kafka', async () =>
    expect(partitions(new Config(), ['12'])).rejects.toThrow('set kafkaBrokers and mongoUri'));
});
