import { describe, expect, it } from '@jest/globals';
import { requestedCase } from './requested-case.ts';

describe('the requested case of names', () => {
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
  ])('is read from %s', (accept, expected) => expect(requestedCase(accept)).toBe(expected));

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
  ])('is absent in %s', (accept) => expect(requestedCase(accept)).toBeNull());

  it('is not read from an overlong header', () => {
    expect(requestedCase(`${'text/html,'.repeat(100)}application/json;case=camel`)).toBeNull();
  });
});
