import { afterEach, describe, expect, it } from '@jest/globals';
import { patience } from '@parlance/testing';
import { Broker } from '../../src/broker.ts';
import { brokerContract } from './contract.ts';
import { EmbeddedHarnesses } from './embedded-harness.ts';
import {
  BeginsNewGroupsAtTheEnd,
  BeginsTheLettersAnew,
  CommitsBeforeHandling,
  CommitsOnACrash,
  DropsPoisonSilently,
  GivesEachSubscriptionAll,
  GivesNewIds,
  Honest,
  IgnoresFencing,
  LosesWhatIsInHandOnStop,
  NeverGivesUp,
  RedrivesEverything,
  RedrivesToEveryone,
  Reorders,
  ReturnsLettersOfAnySize,
  SaysItIsNeverBehind,
  TakesAnOutageForPoison,
  TakesAnyName,
} from './broken-brokers.ts';
import {
  HandlesOneAtATime,
  IgnoresTheLimits,
  IsolatesOneByOne,
  KeepsTrimmingToItself,
  MixesPartitions,
  NeverHandsOverSeveral,
  SetsTheWholeBatchAside,
  SkipsARejectedBatch,
  ReportsTrimmingLate,
  ReportsTrimmingOnce,
} from './broken-batches.ts';

const broken: [new (inner: Broker) => Broker, string][] = [
  [TakesAnyName, 'refuses a name that a group cannot have on every broker'],
  [Reorders, 'delivers an event as it was sent, and in the order of its key'],
  [GivesNewIds, 'delivers an event as it was sent, and in the order of its key'],
  [BeginsNewGroupsAtTheEnd, 'gives each group everything, what was sent before it came as well'],
  [HandlesOneAtATime, 'handles other partitions while one is slow'],
  [GivesEachSubscriptionAll, 'shares the partitions among the subscriptions of a group'],
  [SaysItIsNeverBehind, 'counts how far a group lags'],
  [IgnoresFencing, 'fences the older publisher of a name, and no other'],
  [CommitsBeforeHandling, 'tries again what a handler refuses, in its place, counting the tries'],
  [DropsPoisonSilently, 'sets a poison event aside after bounded tries, and goes on'],
  [TakesAnOutageForPoison, 'waits as long as it takes for what is not the fault of the event'],
  [NeverGivesUp, 'sets a poison event aside after bounded tries, and goes on'],
  [
    ReturnsLettersOfAnySize,
    'returns dead letters up to a number of bytes, the oldest first, and the others after the place of the last one',
  ],
  [BeginsTheLettersAnew, 'returns dead letters up to a number of bytes, the oldest first, and the others after the place of the last one'],
  [RedrivesToEveryone, 'redrives a dead letter to its group alone, once'],
  [RedrivesEverything, 'sets aside again what still fails when redriven, and redrives only what is named'],
  [CommitsOnACrash, 'delivers again after a crash whatever was not handled, under the same ids'],
  [LosesWhatIsInHandOnStop, 'finishes current deliveries when it stops, and loses nothing'],
  [Reorders, 'hands over batches in order, each of one partition and within its limits'],
  [IgnoresTheLimits, 'hands over batches in order, each of one partition and within its limits'],
  [NeverHandsOverSeveral, 'hands over batches in order, each of one partition and within its limits'],
  [MixesPartitions, 'hands over batches in order, each of one partition and within its limits'],
  [SetsTheWholeBatchAside, 'sets aside the poison event of a batch alone, and hands over its neighbours once'],
  [IsolatesOneByOne, 'sets aside the poison event of a batch alone, and hands over its neighbours once'],
  [SkipsARejectedBatch, 'sets aside the poison event of a batch alone, and hands over its neighbours once'],
  [SkipsARejectedBatch, 'hands a batch over again after NotNow until it succeeds'],
  [TakesAnOutageForPoison, 'hands a batch over again after NotNow until it succeeds'],
  [CommitsOnACrash, 'delivers a batch again after a crash'],
  [KeepsTrimmingToItself, 'notifies a group of trimmed events before its next delivery'],
  [ReportsTrimmingOnce, 'delivers nothing to a group whose notification of trimmed events failed, and repeats it'],
  [ReportsTrimmingLate, 'notifies a group of trimmed events before its next delivery'],
];

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

describe('the contract of brokers', () => {
  for (const [Broken, name] of broken) {
    it(`catches one that ${inWords(Broken.name)}`, async () => {
      const harness = await harnesses.open(400, (broker) => new Broken(broker));
      const guilty = brokerContract.find((each) => each.name === name);
      await expect(guilty?.run(harness)).rejects.toThrow();
    });
  }

  it('acquits an honest one that is wrapped in the same way', async () => {
    for (const { run } of brokerContract) await run(await harnesses.open(patience(60_000), (broker) => new Honest(broker)));
  });
});

/** CommitsBeforeHandling → "commits before handling". */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=A)(?=[A-Z])/g, ' ').toLowerCase();
}
