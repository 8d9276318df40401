import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { type CallerStatement, CallerStatements } from '@parlance/http';
import { validateSync } from 'class-validator';
import { termFields } from '../../workflows/personal-access.ts';
import { NO_TERMS } from '../../domain/credentials/call-terms.ts';
import { ChangeTokenBody, changesOf } from './token-bodies.ts';

const now = Instant.parse('2026-01-01T12:00:00Z');
const caller: CallerStatement = { sub: 'ann', groups: [], sid: null, kind: 'user', ip: null, ua: null, rid: 'r-1', cid: 'r-1' };

/** Terms with the longest models and tags, which consist of this character. */
function longest(character: string) {
  const text = (index: number, length: number) => `${index}`.padEnd(length, character);
  const models = Array.from({ length: 30 }, (_, index) => `${index}`.padEnd(80, 'm'));
  const tags = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [text(index, 64), text(index, 64)]));
  return Object.assign(new ChangeTokenBody(), { models, tags, cost_centre: text(0, 100) });
}

describe('the longest terms of a token', () => {
  it.each(['x', '"', '\u00e9', '\u8a9e', '\u0001'])('are refused, or fit into the statement about a caller (%j)', (character) => {
    const body = longest(character);
    if (validateSync(body).length > 0) return expect(character).toBe('\u0001');
    const terms = termFields({ ...NO_TERMS, ...changesOf(body) });
    const text = new CallerStatements(Buffer.alloc(32)).sign({ ...caller, terms }, now);
    expect(new CallerStatements(Buffer.alloc(32)).verify(text, now)).toMatchObject({ sub: 'ann' });
  });
});
