import { describe, expect, it } from '@jest/globals';
import { assertContent, type SourceFailed } from './source-failed.ts';

describe('the status of an answer', () => {
  it.each([
    [401, 'access_denied'],
    [403, 'access_denied'],
    [404, 'not_found'],
    [410, 'not_found'],
    [429, 'busy'],
    [503, 'busy'],
    [204, 'answer_invalid'],
    [402, 'answer_invalid'],
    [500, 'answer_invalid'],
  ])('status %i is the failure %s, with a message that names the address and the remedy', (status, code) => {
    const failure = failureOf(() => assertContent(status, 'https://a.test/b'));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(/^https:\/\/a\.test\/b [^.]+\. [A-Z][^.]+\.$|^https:\/\/a\.test\/b is busy .+\.$/);
  });

  it('status 200 is not a failure', () => expect(() => assertContent(200, 'https://a.test/b')).not.toThrow());
});

function failureOf(act: () => void): SourceFailed {
  try {
    act();
  } catch (error) {
    return error as SourceFailed;
  }
  throw new Error('it did not fail');
}
