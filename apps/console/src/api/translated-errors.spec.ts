import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ParlanceError } from '@parlance/client';
import { setLanguage } from '../messages/index.ts';
import { errorText } from './error-text.ts';

describe('an error of the API in another language', () => {
  beforeAll(async () => {
    // Node has no document.
    Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });
    await setLanguage('de');
  });
  afterAll(async () => {
    await setLanguage('en');
    Reflect.deleteProperty(globalThis, 'document');
  });

  const text = (code: string, detail: string) => errorText(new ParlanceError(code, detail, { status: 400 }));

  it('has the sentence for its code', () =>
    expect(text('wrong_credentials', 'The e-mail address or the password is wrong.')).toMatch(/Passwort/));
  it('has the limit and the name that the server reports', () => {
    expect(text('too_many_tokens', 'A user has at most 50 tokens. Delete one that is not used.')).toContain('50');
    expect(text('group_required', 'This needs the group CreatingBotAllowed.')).toContain('CreatingBotAllowed');
  });
  it('has the text of the server if it has no sentence, or not the expected value', () => {
    expect(text('toString', 'This is new.')).toBe('This is new.');
    expect(text('a_newer_code', 'This is new.')).toBe('This is new.');
    expect(text('too_many_tokens', 'There are too many.')).toBe('There are too many.');
    expect(text('group_required', 'This needs a group.')).toBe('This needs a group.');
  });
});
