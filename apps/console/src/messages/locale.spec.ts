import { afterAll } from '@jest/globals';
import { chooseFormats, chooseLocale, locale } from './locale.ts';

const browser = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
afterAll(() => void Object.defineProperty(globalThis, 'navigator', browser ?? { value: undefined, configurable: true }));

it.each([
  ['en-GB', 'en-GB'],
  ['de-AT', 'en'],
  ['en-US@posix', 'en'],
])('a browser in %s uses the formats of %s', (language, expected) => {
  Object.defineProperty(globalThis, 'navigator', { value: { language }, configurable: true });
  expect(locale()).toBe(expected);
});

it.each([
  ['en-AT', 'en-AT'],
  ['de-AT', 'en'],
  ['no tag', 'en'],
  [null, 'en-GB'],
])('the choice %s gives the formats of %s', (chosen, expected) => {
  Object.defineProperty(globalThis, 'navigator', { value: { language: 'en-GB' }, configurable: true });
  chooseFormats(chosen);
  expect(locale()).toBe(expected);
});

it.each([
  ['pt-BR', 'pt-PT', 'pt-PT'],
  ['zh-CN', 'zh-SG', 'zh-SG'],
  ['zh-CN', 'zh-TW', 'zh-CN'],
  ['de', 'de-CH', 'de-CH'],
  ['ko', 'en-US', 'ko'],
])('texts in %s in a browser in %s have the formats of %s', (texts, language, expected) => {
  Object.defineProperty(globalThis, 'navigator', { value: { language }, configurable: true });
  chooseLocale(texts);
  chooseFormats(null);
  expect(locale()).toBe(expected);
});
