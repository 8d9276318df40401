import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { modelCheck } from './model-check.ts';

const given = specify(modelCheck);
const usage = { inputTokens: 8, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const check = { model: 'm', userId: 'ann', botId: null, failure: null, usage, costNanoDollars: 10 } as const;

describe('a check of a model', () => {
  it('is recorded with its cost', () =>
    given()
      .when({ type: 'Record', ...check })
      .emits({ type: 'ModelChecked', ...check }));
  it('is recorded once', () =>
    given({ type: 'ModelChecked', ...check })
      .when({ type: 'Record', ...check })
      .emits());
});
