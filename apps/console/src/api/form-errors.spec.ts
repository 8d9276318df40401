import { ParlanceError } from '@parlance/client';
import { fieldErrors, formError } from './form-errors.ts';

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
