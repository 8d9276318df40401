import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { heldSubject } from './held-subject.ts';

const given = specify(heldSubject);
const held = { type: 'SubjectHeld', holdId: 'h1' } as const;
const ended = { type: 'SubjectHoldEnded', holdId: 'h1' } as const;

describe('a subject of holds', () => {
  it('is held', () => given().when({ type: 'Place', holdId: 'h1' }).emits(held));
  it('is held once by each hold', () => given(held).when({ type: 'Place', holdId: 'h1' }).emits());
  it('is held by several holds', () => given(held).when({ type: 'Place', holdId: 'h2' }).emits({ type: 'SubjectHeld', holdId: 'h2' }));
  it('is released', () => given(held).when({ type: 'End', holdId: 'h1' }).emits(ended));
  it('is released once', () => given(held, ended).when({ type: 'End', holdId: 'h1' }).emits());
  it('is not held by a hold whose end arrived first', () => given(ended).when({ type: 'Place', holdId: 'h1' }).emits());
});
