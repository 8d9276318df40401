import { ParlanceError } from '@parlance/client';

Object.assign(globalThis, { BroadcastChannel: EventTarget });
const { fieldErrors, formError, pollMillis } = await import('./query-client.ts');

it('running work is polled after 1, 2, 4 … and at most 30 seconds', () => {
  expect([0, 1, 2, 4, 5, 100].map(pollMillis)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
});
it('errors of fields are found by their paths', () => {
  const errors = [{ path: 'title', message: 'It is too long.' }];
  expect(fieldErrors(new ParlanceError('invalid', 'No.', { status: 400, errors }))).toEqual({ title: 'It is too long.' });
  expect(fieldErrors(new Error('broken'))).toEqual({});
});
it('an error without a field is one of the whole form, and is shown there', () => {
  const refused = (path: string) => new ParlanceError('expiry_passed', 'No.', { status: 400, errors: [{ path, message: 'No.' }] });
  expect(fieldErrors(refused(''))).toEqual({});
  expect(formError(refused(''))).toBeInstanceOf(ParlanceError);
  expect(formError(refused('title'))).toBeNull();
});
