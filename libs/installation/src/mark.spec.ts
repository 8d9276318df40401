import { describe, expect, it } from '@jest/globals';
import { type Found, objectionTo } from './mark.ts';

const mark = { position: 3, commit: 'third' };
const intact: Found = { installation: 'ours', exists: true, position: 5, commitAtMark: 'third' };
const reasonFor = (found: Partial<Found>, to = mark as Parameters<typeof objectionTo>[2]) =>
  objectionTo({ ...intact, ...found }, 'ours', to);

describe('a log at startup', () => {
  it('is accepted if it has grown since its mark', () => expect(reasonFor({})).toBeNull());
  it('is accepted if it ends at its mark', () => expect(reasonFor({ position: 3 })).toBeNull());
  it('is refused if it is missing', () =>
    expect(reasonFor({ exists: false, installation: null })).toBe('are missing, and reached commit 3 before'));
  it('is refused if it has no installation ID', () => expect(reasonFor({ installation: null })).toMatch(/do not belong/));
  it('is refused if it belongs to another installation', () =>
    expect(reasonFor({ installation: 'theirs' })).toMatch(/\(theirs, not ours\)/));
  it('is refused if it ends before its mark', () => expect(reasonFor({ position: 2 })).toMatch(/end at commit 2, but reached commit 3/));
  it('is refused if it has another commit at its mark', () =>
    expect(reasonFor({ commitAtMark: 'else' })).toMatch(/was continued elsewhere/));
  it('is refused if it ends before a mark without a commit', () =>
    expect(reasonFor({ position: 2 }, { position: 3, commit: null })).toBe('are older than they were before'));
  it('is accepted at a mark without a commit', () => expect(reasonFor({ commitAtMark: null }, { position: 3, commit: null })).toBeNull());
});
