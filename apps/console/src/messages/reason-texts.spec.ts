import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setLanguage } from './index.ts';
import { reasonText } from './reason-texts.ts';

beforeAll(async () => {
  // Node has no document.
  Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });
  await setLanguage('de');
});
afterAll(async () => {
  await setLanguage('en');
  Reflect.deleteProperty(globalThis, 'document');
});

it('the sentence of a reason is in the chosen language, and in English if the language has none', () => {
  expect(reasonText('image', 'Images are not imported.')).toBe('Bilder werden nicht importiert.');
  expect(reasonText('a_newer_reason', 'This is new.')).toBe('This is new.');
  expect(reasonText('toString', 'This is new.')).toBe('This is new.');
});
