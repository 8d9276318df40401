import { expect, it } from '@jest/globals';
import { browserLanguage } from './language.ts';

it.each([
  [['de-AT', 'en'], 'de'],
  [['nl', 'fr-CA'], 'fr'],
  [['pt-PT'], 'pt-BR'],
  [['zh-Hans-SG'], 'zh-CN'],
  [['zh-TW', 'ja'], 'ja'],
  [['en-US@posix', 'ko-KR'], 'ko'],
  [['nl'], 'en'],
  [[], 'en'],
] as const)('a browser with the languages %j shows %s', (wanted, expected) =>
  expect(browserLanguage(wanted, ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-CN', 'ko'])).toBe(expected),
);

it('only a language that the console has is shown', () => expect(browserLanguage(['de', 'fr'], ['en', 'fr'])).toBe('fr'));
