import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { VERSION } from '../wiring/common.module.ts';
import { releaseOf } from './release.ts';

it('has the version of the workspace, so that a new release counts as newer', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
});

it.each([
  ['0.2.0', '0.2.1'],
  ['0.2.9', '0.3.0'],
  ['0.9.0', '0.10.0'],
  ['0.999.999', '1.0.0'],
  ['0.2.0', '0.3.0-rc.1'],
])('considers %s older than %s', (older, newer) => expect(releaseOf(older)).toBeLessThan(releaseOf(newer)));
