import { ParlanceError } from '@parlance/client';
import { fieldErrors, formError, refusedFields } from './form-errors.ts';

it('errors of fields are found by their paths', () => {
  const errors = [{ path: 'title', message: 'It is too long.' }];
  expect(fieldErrors(new ParlanceError('invalid', 'No.', { status: 400, errors }))).toEqual({ title: 'It is too long.' });
  expect(fieldErrors(new Error('broken'))).toEqual({});
});
it.each([
  ['is missing', 'This field is required.'],
  ['must not be only spaces', 'Enter more than spaces.'],
  ['must be a text of 8 to 1000 characters', 'Enter 8 to 1,000 characters.'],
  ['must be a text of at least 8 characters', 'Enter at least 8 characters.'],
  ['must be a text of at most 1 characters', 'Enter at most 1 character.'],
  ['must not be less than 1', 'Enter 1 or more.'],
  ['must not be greater than 9000000', 'Enter 9,000,000 or less.'],
  ['must be an integer number', 'Enter a whole number.'],
  ['must be a number conforming to the specified constraints', 'Enter a number.'],
  ['must be an email', 'Enter an e-mail address.'],
  ['must be a ULID', 'This value must be a ULID.'],
  ['Enter another password.', 'Enter another password.'],
])('the reason "%s" becomes "%s"', (message, sentence) => {
  const error = new ParlanceError('invalid_body', 'No.', { status: 400, errors: [{ path: 'title', message }] });
  expect(fieldErrors(error)).toEqual({ title: sentence });
});
it('an error without a field is one of the whole form, and is shown there', () => {
  const refused = (path: string) => new ParlanceError('expiry_passed', 'No.', { status: 400, errors: [{ path, message: 'No.' }] });
  expect(fieldErrors(refused(''))).toEqual({});
  expect(formError(refused(''))).toBeInstanceOf(ParlanceError);
  expect(formError(refused('title'))).toBeNull();
});
describe('refused fields', () => {
  const refused = (path: string, message: string) =>
    refusedFields(new ParlanceError('invalid_body', `The field ${path} ${message}.`, { status: 400, errors: [{ path, message }] }));

  it('are named with the sentences of the console', () =>
    expect(refused('sql', 'must be a text of 1 to 20000 characters')).toBe('sql: Enter 1 to 20,000 characters.'));
  it('are none if the whole body is refused', () => expect(refused('', 'is too deep')).toBeUndefined());
});
