import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DETECTOR_NAMES } from '../src/index.ts';
import { type Measured, measured } from './corpus/measured.ts';

const rowOf = ({ name, texts, values, precision, recall }: Measured): string =>
  `| \`${name}\` | ${texts} | ${values} | ${precision.toFixed(2)} | ${recall.toFixed(2)} |`;

describe('detectors, on the corpus', () => {
  const rows = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    .replace(/ +/g, ' ')
    .split('\n');

  it.each(DETECTOR_NAMES)('%s has the precision and the recall that the README states', (name) => {
    const found = measured(name);
    const stated = rows.filter((row) => row.startsWith(`| \`${name}\` | ${found.texts} |`));
    expect({ stated, errors: found.errors }).toEqual({ stated: [rowOf(found)], errors: found.errors });
  });
});
