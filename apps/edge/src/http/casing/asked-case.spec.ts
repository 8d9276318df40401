import { describe, expect, it } from '@jest/globals';
import { askedCase } from './asked-case.ts';

describe('the case of names that is asked for', () => {
  it.each([
    ['application/json; case=camel', 'camel'],
    ['application/json;case="camel"', 'camel'],
    ['APPLICATION/JSON; CASE=CAMEL', 'camel'],
    ['application/json; Case = Snake', 'snake'],
    ['application/json; charset=utf-8; case=camel; q=0.5', 'camel'],
    ['application/problem+json; case=camel', 'camel'],
    ['text/html, application/json;case=camel', 'camel'],
    ['application/json;case=snake, application/json;case=camel', 'snake'],
    [`${'text/html,'.repeat(90)}application/json;case=camel`, 'camel'],
  ])('is said by %s', (accept, expected) => expect(askedCase(accept)).toBe(expected));

  it.each([
    undefined,
    '',
    '*/*',
    '*/*; case=camel',
    'application/json',
    'application/json, text/html;case=camel',
    'application/json;case=camels',
    'application/json;case="camel',
    'application/json;lower_case=camel',
    'application/jsonx;case=camel',
  ])('is not said by %s', (accept) => expect(askedCase(accept)).toBeNull());

  it('is not looked for in a header that is too long', () => {
    expect(askedCase(`${'text/html,'.repeat(100)}application/json;case=camel`)).toBeNull();
  });
});
