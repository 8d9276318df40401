import { expect, it } from '@jest/globals';
import { artifactObjection } from './artifact-origin.ts';

it.each([
  [null, 'https://parlance.example.org', null],
  ['https://artifacts.example.net', 'https://parlance.example.org', null],
  ['https://parlance.example.org:8443', 'https://parlance.example.org', null],
  ['https://parlance.example.org', 'https://parlance.example.org', 'artifactOrigin'],
  ['https://Parlance.example.org:443', 'https://parlance.example.org/chat', 'artifactOrigin'],
])('the origin of pages of models may be %s beside %s: %s', (artifactOrigin, publicBaseUrl, path) =>
  expect(artifactObjection({ artifactOrigin, publicBaseUrl })?.path ?? null).toBe(path),
);
