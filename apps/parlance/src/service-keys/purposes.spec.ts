import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PURPOSES } from './purposes.ts';

const SHARED = ['caller-statements', 'file-addresses', 'page-tokens', 'user-keys'];

/** The purposes in the sources of a service or library. Those of links in mails are in a table. */
function purposesIn(place: string): readonly string[] {
  const folder = join(import.meta.dirname, '../../../..', place, 'src');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const derived = texts.flatMap((text) =>
    [...text.matchAll(/\.derive\(\s*'([^']+)'|'(mailed-[a-z]+-tokens)'/g)].map(([, one, two]) => one ?? two!),
  );
  return [...new Set(derived)].toSorted();
}

describe('the purposes of the key of a service', () => {
  it.each(Object.keys(PURPOSES))('are those of its sources, and the ones that services share: %s', (service) => {
    expect(PURPOSES[service]!.filter((purpose) => !SHARED.includes(purpose)).toSorted()).toEqual(purposesIn(`apps/${service}`));
  });
  it('are shared if the foundation of all services derives them', () => expect(purposesIn('libs/foundation')).toEqual(SHARED));
});
