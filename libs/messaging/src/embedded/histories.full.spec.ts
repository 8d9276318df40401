import { afterAll, it } from '@jest/globals';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { playHistories } from '../../test/histories.ts';

const harnesses = new EmbeddedHarnesses();
afterAll(() => harnesses.close());

it('handles or sets aside each wanted event, in order, in 1,000 random histories with kills at each write', async () =>
  playHistories(await harnesses.file(), 1_000));
