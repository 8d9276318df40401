import { describe, expect, it } from '@jest/globals';
import { OpenedTexts } from './opened-texts.ts';

/** Room for three texts. A sealed text and its plain form have 100 bytes here. */
function texts() {
  const opened = new OpenedTexts(300);
  const ofKey = new Set<string>();
  const add = (...names: string[]) => {
    for (const name of names) opened.add(name.padEnd(25), name.padEnd(25, '.'), ofKey);
  };
  const known = (...names: string[]) => names.filter((name) => opened.get(name.padEnd(25)) === name.padEnd(25, '.'));
  return { opened, ofKey, add, known };
}

describe('opened texts', () => {
  it('are dropped when they exceed the memory for them, the least recently used ones first', () => {
    const { ofKey, add, known } = texts();
    add('a', 'b', 'c');
    known('a');
    add('d', 'e');
    expect([known('a', 'b', 'c', 'd', 'e'), ofKey.size]).toEqual([['a', 'd', 'e'], 3]);
  });

  it('are dropped with their key, and make room for others', () => {
    const { opened, ofKey, add, known } = texts();
    add('a', 'b', 'c');
    opened.dropAll(ofKey);
    expect([known('a', 'b', 'c'), ofKey.size]).toEqual([[], 0]);
    add('d', 'e', 'f');
    expect(known('d', 'e', 'f')).toEqual(['d', 'e', 'f']);
  });

  it('do not include a text that is too long', () => {
    const opened = new OpenedTexts(1_000_000);
    opened.add('sealed', 'x'.repeat(40_000), new Set());
    expect(opened.get('sealed')).toBeUndefined();
  });

  it('count a text once that is added again', () => {
    const { add, known } = texts();
    add('a', 'b', 'c', 'c', 'c');
    expect(known('a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  });
});
