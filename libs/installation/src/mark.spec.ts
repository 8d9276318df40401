import { describe, expect, it } from '@jest/globals';
import { type Found, objectionTo } from './mark.ts';

const mark = { position: 3, commit: 'third' };
const whole: Found = { installation: 'ours', exists: true, position: 5, commitAtMark: 'third' };
const objection = (found: Partial<Found>, to = mark as Parameters<typeof objectionTo>[2]) =>
  objectionTo({ ...whole, ...found }, 'ours', to);

describe('a log at a start', () => {
  it('is taken when it has grown since its mark', () => expect(objection({})).toBeNull());
  it('is taken when it stands at its mark', () => expect(objection({ position: 3 })).toBeNull());
  it('is refused when it is missing', () =>
    expect(objection({ exists: false, installation: null })).toBe('are missing, and reached commit 3 before'));
  it('is refused when it says of no installation', () => expect(objection({ installation: null })).toMatch(/do not belong/));
  it('is refused when it is of another one', () => expect(objection({ installation: 'theirs' })).toMatch(/\(theirs, not ours\)/));
  it('is refused when it ends before its mark', () => expect(objection({ position: 2 })).toMatch(/end at commit 2, but reached commit 3/));
  it('is refused when it has another commit at its mark', () => expect(objection({ commitAtMark: 'else' })).toMatch(/went on elsewhere/));
  it('is refused when a mark without a commit is beyond it', () =>
    expect(objection({ position: 2 }, { position: 3, commit: null })).toBe('are older than they were before'));
  it('is taken at a mark without a commit', () => expect(objection({ commitAtMark: null }, { position: 3, commit: null })).toBeNull());
});
