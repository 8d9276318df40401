import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { configuration } from './configuration.ts';

const given = specify(configuration);
const fingerprints = { port: 'a', logLevel: 'b' };
const noted = { type: 'ConfigurationNoted', fingerprints } as const;
const start = (its: Record<string, string>, unset: readonly string[] = []) => ({ type: 'Start', fingerprints: its, unset }) as const;

describe('the configuration of a starting installation', () => {
  it('is noted at the first start, without a change', () => given().when(start(fingerprints)).emits(noted));
  it('is not recorded again if it is the same as at the last start', () => given(noted).when(start(fingerprints)).emits());
  it('is recorded with the names of the changed keys in alphabetical order', () =>
    given(noted)
      .when(start({ port: 'c', logLevel: 'd' }))
      .emits({ type: 'ConfigurationChanged', keys: ['logLevel', 'port'], fingerprints: { port: 'c', logLevel: 'd' } }));
  it('is recorded once when several replicas start with it', () => {
    const changed = { port: 'c', logLevel: 'b' };
    given(noted, { type: 'ConfigurationChanged', keys: ['port'], fingerprints: changed })
      .when(start(changed))
      .emits();
  });
  it('is recorded again when it changes back', () =>
    given(noted, { type: 'ConfigurationChanged', keys: ['port'], fingerprints: { port: 'c', logLevel: 'b' } })
      .when(start(fingerprints))
      .emits({ type: 'ConfigurationChanged', keys: ['port'], fingerprints }));
  it('is noted without a change if a new release adds a key that is not set', () => {
    const more = { ...fingerprints, added: 'e' };
    given(noted)
      .when(start(more, ['added']))
      .emits({ type: 'ConfigurationNoted', fingerprints: more });
  });
  it('is recorded as changed if a key that a release added is set', () => {
    const more = { ...fingerprints, added: 'e' };
    given(noted)
      .when(start(more))
      .emits({ type: 'ConfigurationChanged', keys: ['added'], fingerprints: more });
  });
  it('is unchanged when a release has fewer keys', () =>
    given(noted)
      .when(start({ port: 'a' }))
      .emits());
});
