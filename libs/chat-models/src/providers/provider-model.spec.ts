import { expect, it } from '@jest/globals';
import { promptOf } from '../../test/collected.ts';
import { ProviderModel } from './provider-model.ts';
import type { SdkModel } from './sdk-prompt.ts';

it("loads its provider's package once, before its first call if it is prepared", async () => {
  const done: string[] = [];
  const open = async () => {
    done.push('opened');
    return { doStream: () => Promise.reject(new Error(done.push('called').toString())) } as unknown as SdkModel;
  };
  const model = new ProviderModel(
    { open, options: () => ({}), cacheMark: null, requestIdHeader: 'x' },
    { contextWindow: 1_000, maxOutputTokens: null },
  );
  await model.prepare();
  expect(done).toEqual(['opened']);
  for (let call = 0; call < 2; call++) await expect(model.generate(promptOf({}), new AbortController().signal).next()).rejects.toThrow();
  expect(done).toEqual(['opened', 'called', 'called']);
});
