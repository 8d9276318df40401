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
  [BeginsNewGroupsAtTheEnd, 'gives each group everything, including what was sent before it joined'],
  [HandlesOneAtATime, 'handles other partitions while one is slow'],
  [GivesEachSubscriptionAll, 'shares the partitions among the subscriptions of a group'],
  [SaysItIsNeverBehind, 'counts how far a group lags'],
  [IgnoresFencing, 'fences the older of two publishers with the same name, and no other'],
  [CommitsBeforeHandling, 'retries what a handler refuses, in order, and counts the attempts'],
  [DropsPoisonSilently, 'sets a poison event aside after a bounded number of attempts, and continues'],
  [TakesAnOutageForPoison, 'retries for as long as necessary when the event is not at fault'],
  [NeverGivesUp, 'sets a poison event aside after a bounded number of attempts, and continues'],
  [
    ReturnsLettersOfAnySize,
    'returns dead letters up to a number of bytes, the oldest first, and the others after the position of the last one',
  ],
  [
    BeginsTheLettersAnew,
    'returns dead letters up to a number of bytes, the oldest first, and the others after the position of the last one',
  ],
  [RedrivesToEveryone, 'redrives a dead letter only to its own group, once'],
  [RedrivesEverything, 'sets redriven letters aside again if they still fail, and redrives only the named ones'],
  [CommitsOnACrash, 'redelivers after a crash whatever was not handled, with the same ids'],
  [LosesWhatIsInHandOnStop, 'finishes current deliveries when it stops, and loses nothing'],
  [Reorders, 'delivers batches in order, each from one partition and within its limits'],
  [IgnoresTheLimits, 'delivers batches in order, each from one partition and within its limits'],
  [NeverHandsOverSeveral, 'delivers batches in order, each from one partition and within its limits'],
  [MixesPartitions, 'delivers batches in order, each from one partition and within its limits'],
  [SetsTheWholeBatchAside, 'sets aside only the poison event of a batch, and delivers its neighbours once'],
  [IsolatesOneByOne, 'sets aside only the poison event of a batch, and delivers its neighbours once'],
  [SkipsARejectedBatch, 'sets aside only the poison event of a batch, and delivers its neighbours once'],
  [SkipsARejectedBatch, 'redelivers a batch after NotNow until it succeeds'],
  [TakesAnOutageForPoison, 'redelivers a batch after NotNow until it succeeds'],
  [CommitsOnACrash, 'delivers a batch again after a crash'],
  [KeepsTrimmingToItself, 'notifies a group of trimmed events before its next delivery'],
  [ReportsTrimmingOnce, 'delivers nothing to a group whose notification of trimmed events failed, and repeats it'],
  [ReportsTrimmingLate, 'notifies a group of trimmed events before its next delivery'],
];

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

describe('the contract of brokers', () => {
  for (const [Broken, name] of broken) {
    it(`catches a broker that ${inWords(Broken.name)}`, async () => {
      const harness = await harnesses.open(400, (broker) => new Broken(broker));
      const guilty = brokerContract.find((each) => each.name === name);
      await expect(guilty?.run(harness)).rejects.toThrow();
    });
  }

  it('accepts a correct one that is wrapped in the same way', async () => {
    for (const { run } of brokerContract) await run(await harnesses.open(patience(60_000), (broker) => new Honest(broker)));
  });
});

/** CommitsBeforeHandling → "commits before handling". */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=A)(?=[A-Z])/g, ' ').toLowerCase();
}
