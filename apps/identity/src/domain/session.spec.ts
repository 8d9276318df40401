import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { session } from './session.ts';

const given = specify(session);
const started = { type: 'SessionStarted', userId: 'ann' } as const;

describe('starting a session', () => {
  it('records whose it is', () => given().when({ type: 'Start', userId: 'ann' }).emits(started));
  it('refuses an id that is taken', () => given(started).when({ type: 'Start', userId: 'ann' }).refuses('session_exists'));
});
