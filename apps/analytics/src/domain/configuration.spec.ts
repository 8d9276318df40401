import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { configuration } from './configuration.ts';

const given = specify(configuration);
const fingerprints = { port: 'a', logLevel: 'b' };
const noted = { type: 'ConfigurationNoted', fingerprints } as const;
const start = (its: Record<string, string>, unset: readonly string[] = []) => ({ type: 'Start', fingerprints: its, unset }) as const;

describe('the configuration at a start', () => {
  it('is noted at the first start, which changes nothing', () => given().when(start(fingerprints)).emits(noted));
  it('is not recorded when it is that of the last start', () => given(noted).when(start(fingerprints)).emits());
  it('is recorded with the changed keys, in their order', () =>
    given(noted)
      .when(start({ port: 'c', logLevel: 'd' }))
      .emits({ type: 'ConfigurationChanged', keys: ['logLevel', 'port'], fingerprints: { port: 'c', logLevel: 'd' } }));
  it('is recorded once, when several replicas start with it', () => {
    const changed = { port: 'c', logLevel: 'b' };
    given(noted, { type: 'ConfigurationChanged', keys: ['port'], fingerprints: changed })
      .when(start(changed))
      .emits();
  });
  it('is recorded again when it changes back', () =>
    given(noted, { type: 'ConfigurationChanged', keys: ['port'], fingerprints: { port: 'c', logLevel: 'b' } })
      .when(start(fingerprints))
      .emits({ type: 'ConfigurationChanged', keys: ['port'], fingerprints }));
  it('is noted, and not recorded as changed, when a release has another key that is not set', () => {
    const more = { ...fingerprints, added: 'e' };
    given(noted)
      .when(start(more, ['added']))
      .emits({ type: 'ConfigurationNoted', fingerprints: more });
  });
  it('is recorded as changed when the other key of a release is set', () => {
    const more = { ...fingerprints, added: 'e' };
    given(noted)
      .when(start(more))
      .emits({ type: 'ConfigurationChanged', keys: ['added'], fingerprints: more });
  });
  it('is the same when a release has fewer keys', () =>
    given(noted)
      .when(start({ port: 'a' }))
      .emits());
});
