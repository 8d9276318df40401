import { afterEach, describe, it } from '@jest/globals';
import { patience } from '@parlance/testing';
import { brokerContract } from '../../test/contract/contract.ts';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

describe('the embedded broker', () => {
  for (const { name, run } of brokerContract) it(name, async () => run(await harnesses.open(patience(60_000))));
});
