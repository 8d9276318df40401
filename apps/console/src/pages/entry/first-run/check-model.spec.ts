import { expect, it } from '@jest/globals';
import type { Parlance } from '@parlance/client';
import { errorText } from '../../../api/error-text.ts';
import { checkModel } from './check-model.ts';

const answering = (answer: object) => ({ api: { post: async () => answer } }) as unknown as Pick<Parlance, 'api'>;

it('returns how long the model took', async () => {
  expect(await checkModel(answering({ ok: true, latency_ms: 420, error: null }), 'gpt')).toBe(420);
});
it('throws the reason of a model that does not answer', async () => {
  const answer = { ok: false, latency_ms: null, error: { code: 'key_refused', message: 'Change the key.' } };
  await expect(checkModel(answering(answer), 'gpt')).rejects.toMatchObject({ code: 'key_refused', message: 'Change the key.' });
});
it('does not blame the connection to the server when the model does not answer in time', async () => {
  const answer = { ok: false, latency_ms: null, error: { code: 'timed_out', message: 'The model took too long.' } };
  const thrown: unknown = await checkModel(answering(answer), 'gpt').catch((error: unknown) => error);
  expect(errorText(thrown)).toBe('The model took too long.');
});
